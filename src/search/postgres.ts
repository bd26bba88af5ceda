import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/schema.js';
import type { ChunkIndex, ChunkQuery, SearchCandidates } from './chunk-index.js';
import { quoteLexeme } from './ranking/analyze.js';
import { readCorpusStatistics, sortByRarity, type TermFrequency } from './ranking/corpus-statistics.js';
import { parseQuery } from './ranking/query-terms.js';
import { rankChunks } from './ranking/rank.js';

/** Matches to read for the rarest terms; grows by the factor below until there are enough candidates. */
const INITIAL_MATCHES = 20_000;
const MATCHES_FACTOR = 8;

/**
 * Full-text search in PostgreSQL. Terms are written in the same transaction as the chunk, so the index is
 * always consistent.
 *
 * A chunk with any query term is a candidate, found through the GIN index; terms that nearly every chunk
 * contains are skipped. Terms have a tenant prefix, so that a search reads only its own tenant's part of the
 * index.
 */
export function createPostgresEngine({ db }: { db: Database }): ChunkIndex {
  const engine = 'postgres' as const;
  return { engine, search, status };

  async function search(query: ChunkQuery): Promise<SearchCandidates> {
    const terms = parseQuery(query);
    if (terms.terms.length === 0 || query.datasetIds.length === 0) return { engine, candidates: [] };
    const corpus = await readCorpusStatistics(db, query.tenantId, terms.terms);
    const rarest = sortByRarity(terms.terms, corpus);
    if (rarest.length === 0) return { engine, candidates: [] };
    for (let matches = INITIAL_MATCHES; ; matches *= MATCHES_FACTOR) {
      const chosen = chooseTerms(rarest, matches);
      const anyTerm = chosen.map(({ term }) => quoteLexeme(query.tenantId, term)).join(' | ');
      const filter = sql<SqlBool>`t.terms @@ ${anyTerm}::tsquery`;
      const candidates = await rankChunks(db, { query, terms, corpus, filter });
      if (chosen.length === rarest.length || candidates.length >= query.limit) return { engine, candidates };
    }
  }

  async function status() {
    return { engine, available: true };
  }
}

/** The rarest terms whose frequencies sum up to at most `matches`; at least one. */
function chooseTerms(rarest: TermFrequency[], matches: number): TermFrequency[] {
  let sum = 0;
  const end = rarest.findIndex(({ frequency }) => {
    sum += frequency;
    return sum > matches;
  });
  return end < 0 ? rarest : rarest.slice(0, Math.max(1, end));
}
