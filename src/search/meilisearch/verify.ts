import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { enqueueChunksOfTenants } from '../indexing/outbox.js';
import type { MeilisearchServer } from './connect.js';
import { BUCKET_COUNT, readPropertyNames, selectRevisions } from './indexed-chunks.js';
import { readBacklog } from './outbox-consumer.js';

/** Chunks compared at a time, about. */
const BATCH_SIZE = 2_000;
const PAGE = 10_000;
/** Ids listed for each kind of difference. */
const MAX_LISTED_IDS = 100;

/** Differences of one kind: their number and the first hundred ids. */
export interface Differences {
  count: number;
  ids: string[];
}

export interface Verification {
  /** Chunks that should be indexed. */
  chunks: number;
  /** Chunks that are indexed. */
  documents: number;
  /** Pending changes and quarantined chunks; not counted as differences. */
  waiting: number;
  setAside: number;
  missing: Differences;
  outdated: Differences;
  /** Indexed, but no longer searchable. */
  surplus: Differences;
  /** Differences enqueued for repair. */
  repaired: number;
}

export interface VerifyOptions {
  db: Database;
  server: Pick<MeilisearchServer, 'indexUid' | 'documentClient'>;
  /** What to do with chunks that differ. */
  repair?: ((chunkIds: string[]) => Promise<void>) | undefined;
  /** Which of the chunks are pending and so no differences; default: those in the outbox. */
  readPending?: ((chunkIds: string[]) => Promise<Set<string>>) | undefined;
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
  signal?: AbortSignal | undefined;
}

const everywhere = (db: Database): Database =>
  unscoped(db, 'The search index is compared with the chunks of all tenants.');

/** Creates a `repair` that enqueues differences in the outbox. */
export const createRepair =
  (db: Database) =>
  (chunkIds: string[]): Promise<void> =>
    enqueueChunksOfTenants(everywhere(db), chunkIds);

/**
 * Compares the revision of every chunk in the database with that in the index, one group of buckets after
 * another. Differences are checked a second time; pending changes do not count.
 */
export async function verifyIndex({
  db: database,
  server,
  repair,
  readPending = (chunkIds) => readPendingIds(everywhere(database), chunkIds),
  onProgress,
  signal,
}: VerifyOptions): Promise<Verification> {
  const db = everywhere(database);
  const index = (await server.documentClient()).index(server.indexUid);
  const total = await countIndexed(db);
  const step = Math.max(1, Math.floor((BATCH_SIZE * BUCKET_COUNT) / Math.max(total, 1)));
  const found: Verification = {
    chunks: 0,
    documents: 0,
    ...(await readPendingCounts(db)),
    missing: { count: 0, ids: [] },
    outdated: { count: 0, ids: [] },
    surplus: { count: 0, ids: [] },
    repaired: 0,
  };
  for (let first = 0; first < BUCKET_COUNT; first += step) {
    signal?.throwIfAborted();
    const last = Math.min(first + step, BUCKET_COUNT) - 1;
    const part = { first, last };
    const [indexed, expected] = [await readIndex(part), await readDatabase(part)];
    found.documents += indexed.size;
    found.chunks += expected.size;
    const suspects = findDifferences(indexed, expected);
    if (suspects.length > 0) await confirm(suspects, part);
    onProgress?.({ done: last + 1, total: BUCKET_COUNT });
  }
  return found;

  async function confirm(suspects: string[], part: Part): Promise<void> {
    const [indexed, expected] = [await readIndex(part), await readDatabase(part)];
    const pending = await readPending(suspects);
    const suspected = new Set(suspects);
    const confirmed = findDifferences(indexed, expected).filter(
      (id) => suspected.has(id) && !pending.has(id),
    );
    for (const id of confirmed) {
      const kind = !expected.has(id) ? found.surplus : indexed.has(id) ? found.outdated : found.missing;
      kind.count++;
      if (kind.ids.length < MAX_LISTED_IDS) kind.ids.push(id);
    }
    if (repair && confirmed.length > 0) {
      await repair(confirmed);
      found.repaired += confirmed.length;
    }
  }

  async function readIndex({ first, last }: Part): Promise<Revisions> {
    const revisions: Revisions = new Map();
    for (let offset = 0; ; offset += PAGE) {
      const { results } = await index.getDocuments<{ id: string; revision: string }>({
        filter: `bucket ${first} TO ${last}`,
        fields: ['id', 'revision'],
        limit: PAGE,
        offset,
      });
      for (const { id, revision } of results) revisions.set(id, revision);
      if (results.length < PAGE) return revisions;
    }
  }

  async function readDatabase({ first, last }: Part): Promise<Revisions> {
    const { rows } = await sql<{ id: string; revision: string }>`
      ${selectRevisions(await readPropertyNames(db))} and chunk_bucket(c.id) between ${first} and ${last}
    `.execute(db);
    return new Map(rows.map(({ id, revision }) => [id, revision]));
  }
}

interface Part {
  /** Buckets, both included. */
  first: number;
  last: number;
}

type Revisions = Map<string, string>;

const findDifferences = (indexed: Revisions, expected: Revisions): string[] => [
  ...[...expected].filter(([id, revision]) => indexed.get(id) !== revision).map(([id]) => id),
  ...[...indexed.keys()].filter((id) => !expected.has(id)),
];

async function countIndexed(db: Database): Promise<number> {
  const { rows } = await sql<{ chunks: number }>`
    select count(*) as chunks from chunk_terms
  `.execute(db);
  return rows[0]?.chunks ?? 0;
}

async function readPendingCounts(db: Database): Promise<Pick<Verification, 'waiting' | 'setAside'>> {
  const { waiting, quarantined } = await readBacklog(db);
  return { waiting, setAside: quarantined };
}

/** Chunks in the outbox, and those that a backfill has not enqueued yet. */
async function readPendingIds(db: Database, chunkIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ chunkId: string }>`
    select id as chunk_id from unnest(${chunkIds}::text[]) as id
    where exists (select from search_outbox as o where o.chunk_id = id)
      or id collate "C" > (select filled_to from search_index)
  `.execute(db);
  return new Set(rows.map(({ chunkId }) => chunkId));
}
