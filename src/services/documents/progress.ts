import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { isOutage } from '../../errors/errors.js';
import { assertAtMost } from '../shared/pagination.js';
import { createSharedPoll } from '../shared/shared-poll.js';
import { withinTenant } from '../shared/tenant-scope.js';
import type { DocumentSelection } from './documents.schema.js';
import { type DocumentProgress, documentProgress } from './processing.schema.js';
import { isPending, scopeMatcher } from './rows.js';

export interface DocumentProgressDependencies {
  db: Database;
  maxPageSize: number;
  /** Aborts on shutdown, so that watchers do not delay it. */
  stopping: AbortSignal;
}

const INTERVAL_MS = 500;
/** Ids in one statement. */
const BATCH = 1_000;

/** A snapshot of the watched documents. */
interface Snapshot {
  states: State[];
  isInProgress: boolean;
}

interface State {
  progress: DocumentProgress;
  /** Serialized, to detect changes. */
  text: string;
}

/** Progress of processing. */
export function createDocumentProgress({ db, maxPageSize, stopping }: DocumentProgressDependencies) {
  // Polling is simple, survives outages and covers all processes.
  const poll = createSharedPoll({ query: readSnapshots, intervalMs: INTERVAL_MS, stopping });
  return { watch };

  /**
   * Yields the current status of each document, then every change, until none is pending. Pauses during a
   * database outage. Fast changes are coalesced.
   *
   * @throws an AbortError when `signal` aborts or the service shuts down; processing continues and can be
   * watched again
   */
  function watch(input: DocumentSelection, signal?: AbortSignal): AsyncGenerator<DocumentProgress, void> {
    assertAtMost(maxPageSize, input.documentIds.length, 'documentIds');
    return changesOf({ scope: input.scope, documentIds: [...new Set(input.documentIds)] }, signal);
  }

  async function* changesOf(
    selection: DocumentSelection,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<DocumentProgress, void> {
    stopping.throwIfAborted();
    const sent = new Map<string, string>();
    let snapshot = await readFirstSnapshot(selection);
    for (;;) {
      for (const { progress, text } of snapshot?.states ?? []) {
        if (sent.get(progress.documentId) === text) continue;
        sent.set(progress.documentId, text);
        yield progress;
      }
      if (snapshot && !snapshot.isInProgress) return;
      snapshot = await poll.next(selection, signal);
    }
  }

  /** @returns undefined during a database outage */
  async function readFirstSnapshot(selection: DocumentSelection): Promise<Snapshot | undefined> {
    try {
      return (await readSnapshots([selection]))[0];
    } catch (error) {
      if (isOutage(error)) return undefined;
      throw error;
    }
  }

  /** Reads each document once for all watchers, then filters by each watcher's scope. */
  async function readSnapshots(selections: DocumentSelection[]): Promise<Snapshot[]> {
    const ids = [...new Set(selections.flatMap(({ documentIds }) => documentIds))];
    const tenantId = selections[0]?.scope.tenantId ?? '';
    const found = new Map<string, Found>();
    for (let start = 0; start < ids.length; start += BATCH) {
      const rows = await readRows(tenantId, ids.slice(start, start + BATCH));
      for (const row of rows) found.set(row.documentId, row);
    }
    return selections.map((selection) => snapshotOf(selection, found));
  }

  async function readRows(tenantId: string, ids: string[]) {
    const rows = await db
      .selectFrom('documents')
      .select(['id as documentId', 'status', 'stage', 'processingProgress', 'newChunks', 'chunkCount'])
      .select(['attempts', 'error', 'warnings', 'source', 'tenantId', 'tenantUnitId', 'datasetIds'])
      .where(withinTenant({ tenantId }))
      .where('id', '=', sql<string>`any(${ids})`)
      .execute();
    return rows.map(({ tenantId, tenantUnitId, datasetIds, source, ...progress }) => ({
      documentId: progress.documentId,
      place: { tenantId, tenantUnitId, datasetIds },
      isInProgress: isPending({ status: progress.status, source }),
      state: toState({ documentId: progress.documentId, ...documentProgress.parse(progress) }),
    }));
  }

  type Found = Awaited<ReturnType<typeof readRows>>[number];

  function snapshotOf({ scope, documentIds }: DocumentSelection, found: Map<string, Found>): Snapshot {
    const isReached = scopeMatcher(scope);
    const seen = documentIds.map((documentId) => {
      const row = found.get(documentId);
      return row && isReached(row.place) ? row : undefined;
    });
    return {
      states: seen.map(
        (row, i) => row?.state ?? toState({ documentId: documentIds[i] ?? '', status: 'deleted' }),
      ),
      isInProgress: seen.some((row) => row?.isInProgress),
    };
  }
}

const toState = (progress: DocumentProgress): State => ({ progress, text: JSON.stringify(progress) });
