import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import type { Candidate, ChunkQuery } from '../chunk-index.js';
import { quoteLexeme, tenantPrefix } from './analyze.js';
import { bm25, type CorpusStatistics, type QueryTerms } from './bm25.js';

/** How many candidates are ranked for each one asked for, and at least. */
const DEPTH = 5;
const MIN_RANKED = 1_000;

export interface RankingInput {
  query: ChunkQuery;
  terms: QueryTerms;
  corpus: CorpusStatistics;
  /** A condition on `chunk_terms as t`: the chunks in question. */
  filter: RawBuilder<SqlBool>;
}

/**
 * Ranks chunks by BM25, as they are in the database now. Keeps only what the search may return: active chunks
 * of enabled documents in the query's tenant, units and datasets that contain a query term. Of too many,
 * those with the rarest matching terms are ranked.
 */
export async function rankChunks(db: Database, ranking: RankingInput): Promise<Candidate[]> {
  const found = await readMatches(db, ranking);
  const scores = bm25(ranking.terms, ranking.corpus, found);
  return found
    .map(({ chunkId }, i) => ({ chunkId, score: scores[i] ?? 0 }))
    .sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1))
    .slice(0, ranking.query.limit);
}

/** Positions of the query terms in each chunk. */
async function readMatches(db: Database, { query, terms: { terms }, corpus, filter }: RankingInput) {
  const { tenantId, tenantUnitId, datasetIds, limit } = query;
  const prefix = tenantPrefix(tenantId);
  const prefixed = terms.map((term) => prefix + term);
  const matched = sql.join(
    terms.map((term, i) => {
      const isHeld = sql<SqlBool>`held @@ ${quoteLexeme(tenantId, term)}::tsquery`;
      // A parameter, so that the query guard can cache the statement.
      return sql`case when ${isHeld} then ${rarity(corpus, i)}::numeric else 0 end`;
    }),
    sql` + `,
  );
  // The query's part of a chunk's terms is taken out once: the terms are large, and unpacked at each use.
  const { rows } = await sql<{ chunkId: string; length: number; lexemes: string[]; places: number[][] }>`
    with candidates as materialized (
      select chunk_id, length, held
      from (
        select t.chunk_id, t.length, ts_filter(setweight(t.terms, 'A', ${prefixed}::text[]), '{a}') as held
        from chunk_terms as t
        join chunks as c on c.tenant_id = t.tenant_id and c.id = t.chunk_id and c.status = 'active' and not c.deleted
        join documents as d on d.tenant_id = t.tenant_id and d.id = t.document_id and d.enabled
        where ${filter}
          and t.tenant_id = ${tenantId}
          and t.tenant_unit_id = any(${[tenantUnitId].flat()})
          and exists (
            select from document_datasets as s
            where s.tenant_id = t.tenant_id and s.document_id = t.document_id
              and s.dataset_id = any(${datasetIds}))
        offset 0) as permitted
      order by ${matched} desc, length, chunk_id
      limit ${Math.max(MIN_RANKED, DEPTH * limit)}
    )
    select chunk_id, length, json_agg(lexeme) as lexemes, json_agg(positions) as places
    from candidates, unnest(held)
    group by chunk_id, length
  `.execute(db);
  return rows.map(({ chunkId, length, lexemes, places }) => {
    const byTerm = new Map(lexemes.map((lexeme, i) => [lexeme.slice(prefix.length), places[i] ?? []]));
    return { chunkId, length, positions: terms.map((term) => byTerm.get(term) ?? []) };
  });
}

const rarity = ({ size, frequencies }: CorpusStatistics, i: number) =>
  Number(Math.log(1 + size / ((frequencies[i] ?? 0) + 0.5)).toFixed(4));
