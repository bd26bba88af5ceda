import { sql } from 'kysely';
import type { MultiSearchQuery } from 'meilisearch';
import { z } from 'zod';
import type { Database } from '../../../db/schema.js';
import { isOutage } from '../../errors.js';
import type { ChunkIndex, ChunkQuery, SearchCandidates } from '../chunk-index.js';
import { readCorpusStatistics } from '../postings/corpus.js';
import type { CorpusStatistics } from '../ranking/bm25.js';
import { countTerms } from '../ranking/count-terms.js';
import { parseQuery } from '../ranking/query-terms.js';
import { rankChunks } from '../ranking/rank.js';
import { readChunkTerms } from '../ranking/read-chunk-terms.js';
import type { MeilisearchServer } from './connect.js';
import { searchUnavailable, toOperatorMessage } from './errors.js';
import { CHECKPOINT_ID, encodeTerm, hashDataset, hashUnit, readCheckpoint } from './index-document.js';
import { type IndexState, readIndexState } from './index-state.js';

/** The server ignores further words of a query. */
const MAX_WORDS = 10;
/** Queries of the first round, hits per query, and the factor by which each further round grows. */
const FIRST_QUERIES = 24;
const FIRST_DEPTH = 250;
const DEPTH_FACTOR = 4;
/** Only so many of the newest pending changes are searched besides the index. */
const MAX_PENDING = 1_000;

/**
 * Search with candidates from Meilisearch.
 *
 * The server has no OR search: it requires the first word and prefers documents with the later ones. So each
 * rare term comes first in one query, followed by the next more common ones. Candidates are checked and
 * ranked in PostgreSQL from current rows, so that a stale index neither leaks nor hides anything.
 */
export function createMeilisearchEngine({
  db,
  server,
}: {
  db: Database;
  server: MeilisearchServer;
}): ChunkIndex {
  const engine = 'meilisearch' as const;
  return { engine, search, status };

  async function search(query: ChunkQuery): Promise<SearchCandidates> {
    const terms = parseQuery(query);
    if (terms.terms.length === 0 || query.datasetIds.length === 0)
      return { engine, candidates: [], isTruncated: false };
    // Read before the index is queried: rows that leave the outbox later are in the index by then.
    const [corpus, waiting] = await Promise.all([
      readCorpusStatistics(db, query, terms),
      readPendingChunks(query),
    ]);
    const rarest = rarestFirst(terms.terms, corpus);
    if (rarest.length === 0) return { engine, candidates: [], isTruncated: false };
    for (let round = 1; ; round *= DEPTH_FACTOR) {
      const { ids, isAll } = await queryCandidates(query, rarest, round);
      const chunks = await readChunkTerms(db, query.tenantId, [...new Set([...ids, ...waiting])]);
      const candidates = rankChunks(terms, corpus, countTerms(terms, chunks)).slice(0, query.limit);
      if (isAll || candidates.length >= query.limit) return { engine, candidates, isTruncated: false };
    }
  }

  /** @returns ids of chunks that contain any of the terms, and whether these are all */
  async function queryCandidates(query: ChunkQuery, rarest: string[], round: number) {
    const filter = toFilter(query);
    const depth = round * Math.max(FIRST_DEPTH, query.limit);
    const first = rarest.slice(0, round * FIRST_QUERIES);
    const results = await queryWithCheckpoint(
      first.map((_, i) => ({
        indexUid: server.indexUid,
        q: rarest
          .slice(i, i + MAX_WORDS)
          .map(encodeTerm)
          .join(' '),
        filter,
        limit: depth,
        matchingStrategy: 'last',
        attributesToRetrieve: ['id'],
      })),
    );
    const ids = [...new Set(results.flatMap(({ hits }) => hits.map(({ id }) => id)))];
    const isAll = first.length === rarest.length && results.every(({ hits }) => hits.length < depth);
    return { ids, isAll };
  }

  /** The newest pending chunks, for read-your-writes consistency. */
  async function readPendingChunks({ tenantId, tenantUnitId, datasetIds }: ChunkQuery): Promise<string[]> {
    const { rows } = await sql<{ chunkId: string }>`
      select o.chunk_id
      from (select chunk_id from search_outbox order by revision desc limit ${sql.lit(MAX_PENDING)}) as o
      cross join lateral (
        select document_id from chunks
        where tenant_id = ${tenantId} and id = o.chunk_id and tenant_unit_id = any(${[tenantUnitId].flat()})
          and status = 'active' and not deleted limit 1) as c
      cross join lateral (
        select from document_datasets
        where tenant_id = ${tenantId} and document_id = c.document_id and dataset_id = any(${datasetIds}) limit 1) as s
    `.execute(db);
    return rows.map(({ chunkId }) => chunkId);
  }

  /** Queries the index and checks in the same request that it is complete. */
  async function queryWithCheckpoint(queries: MultiSearchQuery[]): Promise<Results> {
    const expected = await readIndexState(db);
    // The checkpoint last: an index emptied in between must not look complete.
    const results = await send([...queries, checkpointQuery(server.indexUid)]);
    const found = readCheckpoint(results.pop()?.hits[0]);
    // A rebuilt index may have been swapped in between.
    if (!isComplete(expected, found) && !isComplete(await readIndexState(db), found)) {
      throw searchUnavailable(new Error('The index is incomplete; it is being filled.'));
    }
    return results;
  }

  async function send(queries: MultiSearchQuery[]): Promise<Results> {
    try {
      const client = await server.searchClient();
      return searchResponse.parse(await client.multiSearch({ queries })).results;
    } catch (error) {
      server.reportError(error);
      throw searchUnavailable(error);
    }
  }

  async function status() {
    try {
      await queryWithCheckpoint([]);
      return { engine, available: true };
    } catch (error) {
      if (isOutage(error)) throw error;
      const { cause } = error as Error;
      return { engine, available: false, reason: toOperatorMessage(cause) };
    }
  }
}

/** The terms that occur in the query's datasets, rarest first. */
const rarestFirst = (terms: string[], { frequencies }: CorpusStatistics): string[] =>
  terms
    .map((term, i) => ({ term, frequency: frequencies[i] ?? 0 }))
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => a.frequency - b.frequency)
    .map(({ term }) => term);

/** The part of a response that is used; validated, since another server may respond. */
const searchResponse = z.object({
  results: z.array(
    z.object({ hits: z.array(z.object({ id: z.string(), revision: z.string().optional() })) }),
  ),
});
type Results = z.output<typeof searchResponse>['results'];

const checkpointQuery = (indexUid: string): MultiSearchQuery => ({
  indexUid,
  filter: `unit = ${CHECKPOINT_ID}`,
  limit: 1,
  attributesToRetrieve: ['id', 'revision'],
});

/** Whether the index has reached the checkpoint recorded in this database. */
function isComplete(state: IndexState | undefined, found: ReturnType<typeof readCheckpoint>): boolean {
  if (!state || !found || state.filling) return false;
  const { generation, checkpoint, rebuild } = state;
  if (rebuild?.phase === 'finishing' && found.generation === rebuild.generation) return true;
  return found.generation === generation && found.checkpoint >= checkpoint;
}

const toFilter = ({ tenantId, tenantUnitId, datasetIds }: ChunkQuery): string => {
  const units = [tenantUnitId].flat().map((unit) => hashUnit(tenantId, unit));
  const datasets = datasetIds.map((dataset) => hashDataset(tenantId, dataset));
  return `unit IN [${units}] AND datasets IN [${datasets}]`;
};
