import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/schema.js';
import type { ChunkIndex, ChunkQuery, Proposal } from './chunk-index.js';
import { quoteLexeme } from './chunk-terms.js';
import { readCorpusStatistics } from './corpus-statistics.js';
import { readQueryTerms } from './query-terms.js';
import { rankChunks } from './rank.js';
import { applyChanges } from './stored-terms.js';

/**
 * Search in PostgreSQL itself. Terms are written in the same transaction as the chunk, so nothing can drift.
 *
 * Any term of the query makes a chunk a candidate, found through the GIN index. Terms carry a mark of their tenant, so
 * that a search reads only its own tenant's part of the index.
 */
export function createPostgresIndex({ db }: { db: Database }): ChunkIndex {
  const engine = 'postgres';
  return { engine, search, apply: applyChanges, status };

  async function search(query: ChunkQuery): Promise<Proposal> {
    const terms = readQueryTerms(query);
    if (terms.terms.length === 0 || query.datasetIds.length === 0) return { engine, candidates: [] };
    const corpus = await readCorpusStatistics(db, query.tenantId, terms.terms);
    const anyTerm = terms.terms.map((term) => quoteLexeme(query.tenantId, term)).join(' | ');
    const among = sql<SqlBool>`t.terms @@ ${anyTerm}::tsquery`;
    return { engine, candidates: await rankChunks(db, { query, terms, corpus, among }) };
  }

  async function status() {
    return { engine, available: true };
  }
}
