import { setTimeout as delay } from 'node:timers/promises';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/schema.js';
import { isOutage } from '../errors.js';
import { inReach, isUnderWay, missingDocument } from './document-rows.js';
import { across } from './scope.js';
import type { Searchability, SearchableWait } from './searchable.schema.js';

export interface SearchableDependencies {
  db: Database;
  /** Whether changes have to reach an index outside the database. */
  hasOutbox: boolean;
  /** Fires when the service stops, so that nobody who waits holds it up. */
  stopping: AbortSignal;
}

export type Searchable = ReturnType<typeof createSearchable>;

/** `never`: not before the next change. */
type State = 'waiting' | 'searchable' | 'never' | 'missing';

/** Between two looks: longer the longer it takes already, and the more there are who wait. */
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;
const PAUSE_FOR_EACH_MS = 10;

/** When changes of documents show in searches. */
export function createSearchable({ db, hasOutbox, stopping }: SearchableDependencies) {
  let waiting = 0;
  return { waitUntilSearchable };

  /**
   * Waits until searches answer with a document, or some of its chunks, as it is now. What is hidden or deleted is so
   * at once; what is written is searchable when the document is processed and the index has its chunks.
   *
   * @returns whether that is so, at the latest when the time is over, the service stops or `signal` fires
   */
  async function waitUntilSearchable(
    { seconds, ...wanted }: SearchableWait,
    signal?: AbortSignal,
  ): Promise<Searchability> {
    const over = signal ? AbortSignal.any([stopping, signal]) : stopping;
    const start = performance.now();
    let state = await look(wanted);
    if (state === 'missing') throw missingDocument();
    while (state === 'waiting' && !over.aborted) {
      const elapsed = performance.now() - start;
      const left = seconds * 1000 - elapsed;
      if (left <= 0) break;
      await pause(elapsed, left, over);
      state = await look(wanted).catch(waitThroughOutage);
    }
    return { searchable: state === 'searchable' };
  }

  async function pause(elapsed: number, left: number, over: AbortSignal): Promise<void> {
    waiting++;
    const wanted = Math.max(SHORTEST_PAUSE_MS, PAUSE_FOR_EACH_MS * waiting, elapsed / 10);
    const ms = Math.min(wanted, LONGEST_PAUSE_MS, left);
    await delay(ms, undefined, { signal: over }).catch(() => {});
    waiting--;
  }

  async function look({ scope, documentId, chunkIds }: Omit<SearchableWait, 'seconds'>): Promise<State> {
    const documents = await across(db, scope)
      .selectFrom('documents as d')
      .where(inReach(scope, 'd'))
      .where('d.id', '=', documentId)
      .select(['d.status', 'd.source', isQueued(sql`o.error is null`, chunkIds).as('isQueued')])
      .select(isQueued(sql`o.error is not null`, chunkIds).as('isSetAside'))
      .execute();
    if (documents.length === 0) return 'missing';
    const isProcessed = chunkIds !== undefined || !documents.some(isUnderWay);
    if (!isProcessed) return 'waiting';
    const hasFailed = chunkIds === undefined && documents.some(({ status }) => status === 'failed');
    if (hasFailed) return 'never';
    if (!hasOutbox) return 'searchable';
    if (documents.some(({ isSetAside }) => isSetAside)) return 'never';
    return documents.some(({ isQueued }) => isQueued) ? 'waiting' : 'searchable';
  }
}

/** Whether the index waits for chunks of a document `d` that searches may answer with. */
const isQueued = (isSo: RawBuilder<unknown>, chunkIds: string[] | undefined) => sql<SqlBool>`
  d.enabled and exists (
    select from search_outbox as o
    join chunks as c on c.id = o.chunk_id
    where ${isSo} and c.tenant_id = d.tenant_id and c.document_id = d.id
      and c.status = 'active' and not c.deleted ${chunkIds ? sql`and c.id = any(${chunkIds})` : sql``})`;

function waitThroughOutage(error: unknown): State {
  if (isOutage(error)) return 'waiting';
  throw error;
}
