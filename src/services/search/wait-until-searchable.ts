import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { type DocumentRow, documentNotFound, isPending, scopeMatcher } from '../documents/rows.js';
import { createSharedPoll } from '../shared/shared-poll.js';
import { dbForScope, withinTenant } from '../shared/tenant-scope.js';
import { type AskedChunks, type QueuedChunks, readQueuedChunks } from './read-queued-chunks.js';
import type { Searchability, SearchableWait } from './wait-until-searchable.schema.js';

export interface SearchableWaitsDependencies {
  db: Database;
  /** Whether changes go through the outbox of an external index. */
  hasOutbox: boolean;
  /** Aborts on shutdown, so that waiting requests do not delay it. */
  stopping: AbortSignal;
}

export type SearchableWaits = ReturnType<typeof createSearchableWaits>;

/** The awaited documents or chunks. */
type Wanted = Omit<SearchableWait, 'seconds'>;

/** `never`: failed or quarantined, until the next change. */
type State = 'waiting' | 'searchable' | 'never' | 'missing';

const INTERVAL_MS = 100;
/** Questions in one statement; each may name many chunks. */
const BATCH = 200;

/** Waits until changes are searchable. */
export function createSearchableWaits({ db, hasOutbox, stopping }: SearchableWaitsDependencies) {
  const poll = createSharedPoll({ query: readStates, intervalMs: INTERVAL_MS, stopping });
  return { waitUntilSearchable };

  /**
   * Waits until search returns the current state of a document or chunks. Deletions are effective at once;
   * new text is searchable after processing and indexing.
   *
   * @returns whether it is searchable; false after the timeout, on shutdown or abort
   */
  async function waitUntilSearchable(
    { seconds, ...wanted }: SearchableWait,
    signal?: AbortSignal,
  ): Promise<Searchability> {
    const over = new AbortController();
    const end = () => over.abort();
    const timeout = setTimeout(end, seconds * 1000);
    signal?.addEventListener('abort', end);
    if (signal?.aborted || seconds === 0) end();
    try {
      let [state] = await readStates([wanted]);
      if (state === 'missing') throw documentNotFound();
      while (state === 'waiting' && !over.signal.aborted && !stopping.aborted) {
        // Keeps waiting during an outage.
        state = (await poll.next(wanted, over.signal).catch(notInTime)) ?? 'waiting';
      }
      return { searchable: state === 'searchable' };
    } finally {
      clearTimeout(timeout);
      signal?.removeEventListener('abort', end);
    }
  }

  async function readStates(all: Wanted[]): Promise<State[]> {
    const states: State[] = [];
    for (let start = 0; start < all.length; start += BATCH) {
      states.push(...(await readBatchStates(all.slice(start, start + BATCH))));
    }
    return states;
  }

  async function readBatchStates(batch: Wanted[]): Promise<State[]> {
    const { tenantId } = batch[0]?.scope ?? {};
    const ids = [...new Set(batch.map(({ documentId }) => documentId))];
    const rows = await dbForScope(db, { tenantId })
      .selectFrom('documents')
      .select(['id', 'tenantId', 'tenantUnitId', 'datasetIds', 'status', 'source', 'enabled'])
      .where(withinTenant({ tenantId }))
      .where('id', '=', sql<string>`any(${ids})`)
      .execute();
    const asked = batch.flatMap(({ scope, documentId, chunkIds }, n) =>
      rows
        .filter(({ id }) => id === documentId)
        .filter(scopeMatcher(scope))
        .map((row) => ({ ...row, n, documentId, chunkIds, isQueued: false, isQuarantined: false })),
    );
    if (hasOutbox) await addQueued(asked.filter(({ enabled }) => enabled));
    return batch.map(({ chunkIds }, n) =>
      stateOf(
        asked.filter((one) => one.n === n),
        chunkIds !== undefined,
      ),
    );
  }

  async function addQueued(asked: (Found & AskedChunks & { tenantId: string })[]): Promise<void> {
    for (const tenantId of new Set(asked.map((one) => one.tenantId))) {
      const ofTenant = asked.filter((one) => one.tenantId === tenantId);
      const queued = await readQueuedChunks(db, tenantId, ofTenant);
      for (const [i, one] of ofTenant.entries()) Object.assign(one, queued[i]);
    }
  }
}

interface Found extends Pick<DocumentRow, 'status' | 'source'>, QueuedChunks {}

/** Without a tenant several documents may share the id; all must be searchable. */
function stateOf(documents: Found[], isAboutChunks: boolean): State {
  if (documents.length === 0) return 'missing';
  if (!isAboutChunks && documents.some(isPending)) return 'waiting';
  if (!isAboutChunks && documents.some(({ status }) => status === 'failed')) return 'never';
  if (documents.some(({ isQuarantined }) => isQuarantined)) return 'never';
  return documents.some(({ isQueued }) => isQueued) ? 'waiting' : 'searchable';
}

/** The wait ended before there was an answer. */
function notInTime(error: unknown): undefined {
  if ((error as Error).name !== 'AbortError') throw error;
  return undefined;
}
