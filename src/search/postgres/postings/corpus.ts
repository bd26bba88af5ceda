import type { Database } from '../../../../db/schema.js';
import type { ChunkQuery } from '../../chunk-index.js';
import type { CorpusStatistics, QueryTerms } from '../../ranking/bm25.js';
import { type CountedChunk, countTerms } from '../../ranking/count-terms.js';
import type { ChangedChunk } from '../../typos/changed-words.js';
import { DEFAULT_LIMITS, type FoundPostings, readPostings } from './read-postings.js';

/**
 * How many chunks the query's datasets have, how long they are, and how many of them hold each term. A chunk that
 * changed counts twice until its old segment is rewritten.
 */
export function toCorpusStatistics(
  found: Omit<FoundPostings, 'changed'>,
  changed: CountedChunk[],
): CorpusStatistics {
  const frequencies = [...found.frequencies];
  let { length } = found;
  for (const chunk of changed) {
    length += chunk.length;
    for (const [place, count] of chunk.counts.entries()) {
      if (count > 0) (frequencies[place] as number)++;
    }
  }
  const size = changed.length + found.segments.reduce((sum, { chunks }) => sum + chunks, 0);
  return { size, averageLength: length / Math.max(1, size), frequencies };
}

/** So many times as many chunks in segments as changed ones that are counted make the rest of those negligible. */
const NEGLIGIBLE = 50;

/**
 * The same without reading posting lists.
 *
 * @param options.changed how many changed chunks are counted
 * @returns also the changed chunks, and whether those that are not counted are too many to be left out
 */
export async function readCorpusStatistics(
  db: Database,
  query: ChunkQuery,
  terms: QueryTerms,
  { changed }: { changed: number } = DEFAULT_LIMITS,
): Promise<CorpusStatistics & { changed: ChangedChunk[]; isPartial: boolean }> {
  const found = await readPostings(db, query, terms.terms, { ...DEFAULT_LIMITS, changed, bytes: 0 });
  const statistics = toCorpusStatistics(found, await countTerms(terms, found.changed));
  const isPartial = found.changed.length === changed && statistics.size < NEGLIGIBLE * changed;
  return { ...statistics, changed: found.changed, isPartial };
}
