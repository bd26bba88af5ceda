import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/schema.js';
import type { Candidate, ChunkIndex, ChunkQuery } from './chunk-index.js';
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
  return { engine: 'postgres', search, apply: applyChanges, status };

  async function search(query: ChunkQuery): Promise<Candidate[]> {
    const terms = readQueryTerms(query);
    if (terms.terms.length === 0 || query.datasetIds.length === 0) return [];
    const corpus = await readCorpusStatistics(db, query.tenantId, terms.terms);
    const anyTerm = terms.terms.map((term) => quoteLexeme(query.tenantId, term)).join(' | ');
    return rankChunks(db, { query, terms, corpus, among: sql<SqlBool>`t.terms @@ ${anyTerm}::tsquery` });
  }

  async function status() {
    return { engine: 'postgres', available: true };
  }
}
