import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import type { Candidate, ChunkQuery } from '../chunk-index.js';
import { passing } from './condition.js';

/** Candidates that are looked up at a time, at least. */
const MIN_BATCH = 100;

/**
 * Leaves of candidates the best that pass the filter, as many as are asked for.
 *
 * @param candidates best first
 */
export async function keepPassing(
  db: Database,
  query: Pick<ChunkQuery, 'tenantId' | 'filter' | 'limit'>,
  candidates: Candidate[],
): Promise<Candidate[]> {
  if (!query.filter) return candidates;
  const kept: Candidate[] = [];
  let size = Math.max(MIN_BATCH, query.limit);
  for (let first = 0; first < candidates.length && kept.length < query.limit; ) {
    const batch = candidates.slice(first, first + size);
    const { rows } = await sql<{ id: string }>`
      select asked.id from unnest(${batch.map(({ chunkId }) => chunkId)}::text[]) as asked (id)
      ${passing(query, sql`asked.id`)}
    `.execute(db);
    const found = new Set(rows.map(({ id }) => id));
    kept.push(...batch.filter(({ chunkId }) => found.has(chunkId)));
    first += size;
    size *= 4;
  }
  return kept;
}
