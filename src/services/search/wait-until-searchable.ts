import { sql } from 'kysely';
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
import { type Errors, readOutbox } from './read-outbox.js';
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
/** Questions in one statement. */
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
    const scope = { tenantId: batch[0]?.scope.tenantId };
    const wanted = JSON.stringify(batch.map(({ documentId }, n) => ({ n, document_id: documentId })));
    const datasetIds = [...new Set(batch.flatMap(scopeDatasets))];
    const rows = await dbForScope(db, scope)
      .selectFrom('documents as d')
      .innerJoin(
        sql<{ n: number; documentId: string }>`jsonb_to_recordset(${wanted}::jsonb)`.as<'w'>(
          sql`w(n int, document_id text)`,
        ),
        'w.documentId',
        'd.id',
      )
      .where(withinTenant(scope, 'd'))
      .select([
        'w.n',
        'd.id',
        'd.tenantId',
        'd.tenantUnitId',
        'd.status',
        'd.source',
        'd.enabled',
        'd.chunkCount',
      ])
      .select((eb) =>
        sql<string[]>`array(
          select dataset_id::text from document_datasets as s
          where s.tenant_id = d.tenant_id and s.document_id = d.id and ${withinTenant(scope, 's')(eb)}
            and s.dataset_id = any(${datasetIds}))`.as('datasetIds'),
      )
      .execute();
    const found = batch.map((): Found[] => []);
    for (const row of rows) {
      const { scope, chunkIds } = batch[row.n] as Wanted;
      if (scopeMatcher(scope)(row)) found[row.n]?.push({ ...row, chunkIds });
    }
    // After the documents: what has left the outbox since is searchable.
    const errors = hasOutbox ? await readOutbox(db, found.flat().filter(mayBeQueued)) : new Map();
    return found.map((documents, n) =>
      stateOf(
        documents.map((one) => ({ ...one, errors: errors.get(one) ?? [] })),
        batch[n]?.chunkIds !== undefined,
      ),
    );
  }
}

interface Found
  extends Pick<DocumentRow, 'id' | 'tenantId' | 'status' | 'source' | 'enabled' | 'chunkCount'> {
  /** Those that are awaited; all of the document if undefined. */
  chunkIds: string[] | undefined;
}

/** Whether it matters what of the document is in the outbox. */
const mayBeQueued = (one: Found): boolean =>
  one.enabled && (one.chunkIds !== undefined || (!isPending(one) && one.status !== 'failed'));

/** Without a tenant several documents may share the id; all must be searchable. */
function stateOf(documents: (Found & { errors: Errors })[], isAboutChunks: boolean): State {
  if (documents.length === 0) return 'missing';
  if (!isAboutChunks && documents.some(isPending)) return 'waiting';
  if (!isAboutChunks && documents.some(({ status }) => status === 'failed')) return 'never';
  if (documents.some(({ errors }) => errors.some((error) => error !== null))) return 'never';
  return documents.some(({ errors }) => errors.length > 0) ? 'waiting' : 'searchable';
}

/** The wait ended before there was an answer. */
function notInTime(error: unknown): undefined {
  if ((error as Error).name !== 'AbortError') throw error;
  return undefined;
}
