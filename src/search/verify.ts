import { sql } from 'kysely';
import type { Database } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-wall/unscoped.js';
import { BUCKETS, indexedChunks } from './keeping/indexed-chunks.js';
import { queueChunks, readBacklog } from './keeping/outbox.js';
import type { SearchServer } from './meilisearch/connect.js';

/** Chunks compared at a time, about. */
const PART = 2_000;
const PAGE = 10_000;
/** Ids that are named of each kind of difference. */
const NAMED = 100;

/** Chunks of one kind of difference: how many, and which, the first hundred. */
export interface Differing {
  count: number;
  ids: string[];
}

export interface Verification {
  /** Chunks that belong into the index. */
  chunks: number;
  /** Chunks that are there. */
  documents: number;
  /** Changes that are on their way, and what is set aside; these are no differences. */
  waiting: number;
  setAside: number;
  missing: Differing;
  outdated: Differing;
  /** In the index, and not to be found any more. */
  surplus: Differing;
  /** Differences that were queued to be put right. */
  repaired: number;
}

export interface VerifyOptions {
  db: Database;
  server: Pick<SearchServer, 'uid' | 'working'>;
  /** What to do with chunks that differ. */
  repair?: ((chunkIds: string[]) => Promise<void>) | undefined;
  /** Which of the chunks are on their way, and no differences; those in the outbox unless said otherwise. */
  onTheirWay?: ((chunkIds: string[]) => Promise<Set<string>>) | undefined;
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Has the differences that `verifyIndex` finds put right by the outbox. */
export const repairThrough =
  (db: Database) =>
  (chunkIds: string[]): Promise<void> =>
    queueChunks(db, chunkIds);

/**
 * Compares the revision of every chunk in the database with that in the index, one group of buckets after another.
 * What changes meanwhile is looked at once more, and does not count when it is on its way.
 */
export async function verifyIndex({
  db: database,
  server,
  repair,
  onTheirWay = (chunkIds) => readQueued(database, chunkIds),
  onProgress,
  signal,
}: VerifyOptions): Promise<Verification> {
  const db = unscoped(database, 'The search index is compared with the chunks of all tenants.');
  const index = (await server.working()).index(server.uid);
  const total = await countIndexed(db);
  const step = Math.max(1, Math.floor((PART * BUCKETS) / Math.max(total, 1)));
  const found: Verification = {
    chunks: 0,
    documents: 0,
    ...(await readBacklogCounts(db)),
    missing: { count: 0, ids: [] },
    outdated: { count: 0, ids: [] },
    surplus: { count: 0, ids: [] },
    repaired: 0,
  };
  for (let first = 0; first < BUCKETS; first += step) {
    signal?.throwIfAborted();
    const last = Math.min(first + step, BUCKETS) - 1;
    const part = { first, last };
    const [present, wanted] = [await readIndex(part), await readDatabase(part)];
    found.documents += present.size;
    found.chunks += wanted.size;
    const suspects = differing(present, wanted);
    if (suspects.length > 0) await confirm(suspects, part);
    onProgress?.({ done: last + 1, total: BUCKETS });
  }
  return found;

  async function confirm(suspects: string[], part: Part): Promise<void> {
    const [present, wanted] = [await readIndex(part), await readDatabase(part)];
    const waiting = await onTheirWay(suspects);
    const suspected = new Set(suspects);
    const confirmed = differing(present, wanted).filter((id) => suspected.has(id) && !waiting.has(id));
    for (const id of confirmed) {
      const kind = !wanted.has(id) ? found.surplus : present.has(id) ? found.outdated : found.missing;
      kind.count++;
      if (kind.ids.length < NAMED) kind.ids.push(id);
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
      ${indexedChunks.keys} and chunk_bucket(c.id) between ${first} and ${last}
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

const differing = (present: Revisions, wanted: Revisions): string[] => [
  ...[...wanted].filter(([id, revision]) => present.get(id) !== revision).map(([id]) => id),
  ...[...present.keys()].filter((id) => !wanted.has(id)),
];

async function countIndexed(db: Database): Promise<number> {
  const { rows } = await sql<{ chunks: number }>`
    select coalesce(sum(chunks), 0)::bigint as chunks from corpus_statistics
  `.execute(db);
  return rows[0]?.chunks ?? 0;
}

async function readBacklogCounts(db: Database): Promise<Pick<Verification, 'waiting' | 'setAside'>> {
  const { waiting, setAside } = await readBacklog(db);
  return { waiting, setAside };
}

/** Those in the outbox, and those that are still to be put there because the index is filled anew. */
async function readQueued(db: Database, chunkIds: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ chunkId: string }>`
    select id as chunk_id from unnest(${chunkIds}::text[]) as id
    where exists (select from search_outbox as o where o.chunk_id = id)
      or id collate "C" > (select filled_to from search_index)
  `.execute(db);
  return new Set(rows.map(({ chunkId }) => chunkId));
}
