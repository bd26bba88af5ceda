import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import {
  type DocumentRow,
  documentNotFound,
  isPending,
  scopeDatasets,
  scopeMatcher,
} from '../documents/rows.js';
import { createSharedPoll } from '../shared/shared-poll.js';
import { dbForScope, withinTenant } from '../shared/tenant-scope.js';
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
    const wanted = JSON.stringify(
      batch.map(({ documentId, chunkIds }, n) => ({ n, document_id: documentId, chunk_ids: chunkIds })),
    );
    const datasetIds = [...new Set(batch.flatMap(scopeDatasets))];
    const rows = await dbForScope(db, { tenantId })
      .selectFrom('documents as d')
      .innerJoin(
        sql<{ n: number; documentId: string }>`jsonb_to_recordset(${wanted}::jsonb)`.as<'w'>(
          sql`w(n int, document_id text, chunk_ids text[])`,
        ),
        'w.documentId',
        'd.id',
      )
      .where(withinTenant({ tenantId }, 'd'))
      .select(['w.n', 'd.tenantId', 'd.tenantUnitId', 'd.status', 'd.source'])
      .select(
        sql<string[]>`array(
          select dataset_id::text from document_datasets as s
          where s.tenant_id = d.tenant_id and s.document_id = d.id and s.dataset_id = any(${datasetIds}))`.as(
          'datasetIds',
        ),
      )
      .select(hasOutbox ? isQueued(sql`o.error is null`).as('isQueued') : sql.lit(false).as('isQueued'))
      .select(
        hasOutbox
          ? isQueued(sql`o.error is not null`).as('isQuarantined')
          : sql.lit(false).as('isQuarantined'),
      )
      .execute();
    const found = batch.map((): typeof rows => []);
    for (const row of rows) found[row.n]?.push(row);
    return batch.map(({ scope, chunkIds }, n) =>
      stateOf(found[n]?.filter(scopeMatcher(scope)) ?? [], chunkIds !== undefined),
    );
  }
}

interface Found extends Pick<DocumentRow, 'status' | 'source'> {
  isQueued: SqlBool;
  isQuarantined: SqlBool;
}

/** Without a tenant several documents may share the id; all must be searchable. */
function stateOf(documents: Found[], isAboutChunks: boolean): State {
  if (documents.length === 0) return 'missing';
  if (!isAboutChunks && documents.some(isPending)) return 'waiting';
  if (!isAboutChunks && documents.some(({ status }) => status === 'failed')) return 'never';
  if (documents.some(({ isQuarantined }) => isQuarantined)) return 'never';
  return documents.some(({ isQueued }) => isQueued) ? 'waiting' : 'searchable';
}

/** Whether the index waits for chunks of a document `d`, or those of them that `w` names, that searches may answer with. */
const isQueued = (isSo: RawBuilder<unknown>) => sql<SqlBool>`
  d.enabled and exists (
    select from search_outbox as o
    join chunks as c on c.tenant_id = o.tenant_id and c.id = o.chunk_id
    where ${isSo} and o.tenant_id = d.tenant_id and c.document_id = d.id
      and c.status = 'active' and not c.deleted and (w.chunk_ids is null or c.id = any(w.chunk_ids)))`;

/** The wait ended before there was an answer. */
function notInTime(error: unknown): undefined {
  if ((error as Error).name !== 'AbortError') throw error;
  return undefined;
}
