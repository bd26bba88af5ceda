import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { isOutage } from '../../errors.js';
import { assertAtMost } from '../shared/pagination.js';
import { createSharedPoll } from '../shared/shared-poll.js';
import { withinTenant } from '../shared/tenant-scope.js';
import type { DocumentSelection } from './documents.schema.js';
import type { DocumentProgress } from './processing.schema.js';
import { isPending, scopeDatasets, scopeMatcher } from './rows.js';

export interface DocumentProgressDependencies {
  db: Database;
  maxPageSize: number;
  /** Fires when the service stops, so that nobody who watches holds it up. */
  stopping: AbortSignal;
}

const INTERVAL_MS = 500;
/** Ids in one statement. */
const BATCH = 1_000;

/** What one who watches may see of the documents. */
interface Snapshot {
  states: State[];
  isUnderWay: boolean;
}

interface State {
  progress: DocumentProgress;
  /** The same as text, by which a change is noticed. */
  text: string;
}

/** Processing as it is seen from outside. */
export function createDocumentProgress({ db, maxPageSize, stopping }: DocumentProgressDependencies) {
  // Asking is simple, survives outages and sees what every process does.
  const poll = createSharedPoll({ query: readSnapshots, intervalMs: INTERVAL_MS, stopping });
  return { watch };

  /**
   * Tells where each document is now, then each change, until none is left that waits or is being processed. While
   * the database is away there is nothing to tell; it goes on afterwards. Of changes that come faster than they are
   * taken, the last counts.
   *
   * @throws an AbortError when `signal` fires or the service stops: what is watched goes on, and can be watched anew
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
    let sight = await readFirstSnapshot(selection);
    for (;;) {
      for (const { progress, text } of sight?.states ?? []) {
        if (sent.get(progress.documentId) === text) continue;
        sent.set(progress.documentId, text);
        yield progress;
      }
      if (sight && !sight.isUnderWay) return;
      sight = await poll.next(selection, signal);
    }
  }

  /** @returns undefined while the database is away */
  async function readFirstSnapshot(selection: DocumentSelection): Promise<Snapshot | undefined> {
    try {
      return (await readSnapshots([selection]))[0];
    } catch (error) {
      if (isOutage(error)) return undefined;
      throw error;
    }
  }

  /** Reads each document once, however many watch it, and shows each of them what lies in its scope. */
  async function readSnapshots(selections: DocumentSelection[]): Promise<Snapshot[]> {
    const ids = [...new Set(selections.flatMap(({ documentIds }) => documentIds))];
    const tenantId = selections[0]?.scope.tenantId ?? '';
    const datasetIds = [...new Set(selections.flatMap(scopeDatasets))];
    const found = new Map<string, Found>();
    for (let start = 0; start < ids.length; start += BATCH) {
      const rows = await readRows(tenantId, ids.slice(start, start + BATCH), datasetIds);
      for (const row of rows) found.set(row.documentId, row);
    }
    return selections.map((selection) => snapshotOf(selection, found));
  }

  async function readRows(tenantId: string, ids: string[], datasetIds: string[]) {
    const rows = await db
      .selectFrom('documents')
      .select(['id as documentId', 'status', 'stage', 'processingProgress', 'newChunks', 'chunkCount'])
      .select(['attempts', 'error', 'source', 'tenantId', 'tenantUnitId'])
      .select(
        sql<string[]>`array(
          select dataset_id::text from document_datasets as s
          where s.tenant_id = documents.tenant_id and s.document_id = documents.id
            and s.dataset_id = any(${datasetIds}))`.as('datasetIds'),
      )
      .where(withinTenant({ tenantId }))
      .where('id', '=', sql<string>`any(${ids})`)
      .execute();
    return rows.map(({ tenantId, tenantUnitId, datasetIds, source, ...progress }) => ({
      documentId: progress.documentId,
      place: { tenantId, tenantUnitId, datasetIds },
      isUnderWay: isPending({ status: progress.status, source }),
      state: toState(progress as DocumentProgress),
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
      isUnderWay: seen.some((row) => row?.isUnderWay),
    };
  }
}

const toState = (progress: DocumentProgress): State => ({ progress, text: JSON.stringify(progress) });
