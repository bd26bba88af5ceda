import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import type { ChunkQuery } from '../chunk-index.js';
import { inVisibleDocument } from '../in-visible-document.js';
import { termOf } from '../ranking/analyze.js';
import type { QueryTerms } from '../ranking/bm25.js';
import type { CountedChunk } from '../ranking/count-terms.js';
import type { MistypedWord } from './find-alternatives.js';

/** Chunks that are looked up for one alternative. */
const MAX_CHUNKS = 20;

/**
 * Leaves the alternatives that a chunk has which the query may find. Segments also have the words of chunks that have gone
 * since, and of those that are disabled or have left the datasets.
 *
 * @param lists of words, each of which is returned in its place without the others
 * @param chunks what was ranked, with the counts of the query's terms and of those of the alternatives
 */
export async function confirmAlternatives(
  db: Database,
  query: ChunkQuery,
  lists: MistypedWord[][],
  { terms }: QueryTerms,
  chunks: CountedChunk[],
): Promise<MistypedWord[][]> {
  const holders = new Map(
    lists
      .flat()
      .flatMap(({ alternatives }) => alternatives)
      .map((one) => {
        const places = one.words.map((word) => terms.indexOf(termOf(word)));
        const holding = chunks.filter(({ counts }) => places.every((place) => (counts[place] ?? 0) > 0));
        return [one, holding.slice(0, MAX_CHUNKS).map(({ chunkId }) => chunkId)];
      }),
  );
  const visible = await readVisible(db, query, [...new Set([...holders.values()].flat())]);
  return lists.map((mistyped) =>
    mistyped.flatMap((one) => {
      const alternatives = one.alternatives.filter((each) =>
        holders.get(each)?.some((id) => visible.has(id)),
      );
      return alternatives.length > 0 ? [{ ...one, alternatives }] : [];
    }),
  );
}

async function readVisible(db: Database, query: ChunkQuery, chunkIds: string[]): Promise<Set<string>> {
  if (chunkIds.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select c.id
    from unnest(${chunkIds}::text[]) as asked (id)
    cross join lateral (
      select id, document_id from chunks
      where tenant_id = ${query.tenantId} and id = asked.id and tenant_unit_id = any(${[query.tenantUnitId].flat()})
        and status = 'active' and not deleted limit 1) as c
    ${inVisibleDocument(query)}
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
}
