import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { advisoryLockKey } from '../../db/advisory-locks.js';
import type { Database } from '../../db/schema.js';
import { TENANT, UNITS } from '../support/corpus.js';
import { CHANGED_DATASETS } from './questions.js';

const POLL_MS = 200;
/** Without a change for so long, merging has ended. */
const QUIET_MS = 1_000;
const PROGRESS_MS = 10_000;
const CHANGED_DOCUMENTS = 100;

interface MergeState {
  changes: number;
  segments: number;
  lastSegment: number | null;
  isMerging: boolean;
}

/**
 * Waits until all changes are in segments and no segments are merged any more.
 *
 * @returns the seconds until the last of it
 */
export async function waitUntilMerged(db: Database, onProgress: (changes: number) => void): Promise<number> {
  const begin = performance.now();
  let changedAt = begin;
  let reportedAt = begin;
  for (let last = ''; ; await delay(POLL_MS)) {
    const { rows } = await sql<MergeState>`
      select (select count(*) from posting_changes) as changes, count(*) as segments, max(id) as last_segment,
        exists (select from pg_locks where locktype = 'advisory' and granted) as is_merging
      from posting_segments
    `.execute(db);
    const [state] = rows;
    const found = JSON.stringify(state);
    if (found !== last || state?.isMerging) changedAt = performance.now();
    last = found;
    if (performance.now() - reportedAt > PROGRESS_MS) {
      reportedAt = performance.now();
      onProgress(state?.changes ?? 0);
    }
    if (state?.changes === 0 && performance.now() - changedAt > QUIET_MS) return (changedAt - begin) / 1000;
  }
}

/** Records chunks as changed, and runs something before they are merged. */
export async function withChangedChunks(db: Database, run: () => Promise<void>): Promise<void> {
  await db.connection().execute(async (session) => {
    const lock = advisoryLockKey('postings', [TENANT]);
    await sql`select pg_advisory_lock(${lock}::bigint)`.execute(session);
    try {
      await sql`
        insert into posting_changes (tenant_id, document_id, chunk_ids)
        select c.tenant_id, c.document_id, array_agg(c.id)
        from (
          select document_id from document_datasets
          where tenant_id = ${TENANT} and tenant_unit_id = ${UNITS.main} and dataset_id = any(${CHANGED_DATASETS})
          order by document_id limit ${sql.lit(CHANGED_DOCUMENTS)}) as d
        join chunks as c on c.tenant_id = ${TENANT} and c.document_id = d.document_id
        group by c.tenant_id, c.document_id
      `.execute(session);
      await run();
    } finally {
      await sql`select pg_advisory_unlock(${lock}::bigint)`.execute(session);
    }
  });
}

/** Bytes of tables with their indexes and TOAST tables, by chunk. */
export interface ChunkBytes {
  /** What the search needs: terms and postings. */
  search: number;
  /** The table `chunks`. */
  chunks: number;
}

export async function readChunkBytes(db: Database): Promise<ChunkBytes> {
  const { rows } = await sql<ChunkBytes>`
    select
      (select sum(pg_total_relation_size(oid)) from pg_class
       where relkind = 'r' and relnamespace = 'public'::regnamespace
         and (relname = 'chunk_terms' or relname like 'posting\_%'))::float8 / count(*) as search,
      pg_total_relation_size('chunks')::float8 / count(*) as chunks
    from chunks
  `.execute(db);
  return rows[0] as ChunkBytes;
}
