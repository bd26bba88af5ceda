import { sql } from 'kysely';
import type { FederatedMultiSearchParams } from 'meilisearch';
import { z } from 'zod';
import type { Database } from '../../../db/schema.js';
import { isCancelledStatement, isOutage } from '../../errors/errors.js';
import { inSpan } from '../../tracing/spans.js';
import type { ChunkIndex, ChunkQuery, SearchCandidates } from '../chunk-index.js';
import { readCorpusStatistics } from '../postgres/postings/corpus.js';
import { type CorpusStatistics, type QueryTerms, weighQuery } from '../ranking/bm25.js';
import { countTerms } from '../ranking/count-terms.js';
import { rankChunks } from '../ranking/rank.js';
import { readChunkTerms } from '../ranking/read-chunk-terms.js';
import { createSynonyms, type Synonyms } from '../synonyms/create-synonyms.js';
import { locateChunks } from '../synonyms/locate-chunks.js';
import { wordsOfChanged } from '../typos/changed-words.js';
import { toCorrections } from '../typos/corrections.js';
import { findAlternatives } from '../typos/find-alternatives.js';
import { createFindable } from '../typos/findable-words.js';
import { withAlternatives } from '../typos/with-alternatives.js';
import { type CandidateGroups, chooseCandidates } from './choose-candidates.js';
import type { MeilisearchServer } from './connect.js';
import { searchUnavailable, toOperatorMessage } from './errors.js';
import { createHasher } from './hashes.js';
import { CHECKPOINT_ID, readCheckpoint } from './index-document.js';
import { hasFormerDocuments, type IndexState, readIndexState } from './index-state.js';
import { toReadFilter } from './read-filter.js';

/** Candidates that are ranked, at least and for each one asked for; grows where too few of them are left. */
const MIN_RANKED = 200;
/** Of more terms than that, no two make a chunk one of the best. */
const MAX_TERMS = 8;
/** With those of synonyms, for which the server has to read filters. */
const MAX_FILTERED_TERMS = 32;
/** Changed chunks that are counted for the statistics. */
const MAX_COUNTED = 200;
const DEPTH = 2;
const DEPTH_GROWTH = 4;
/** With more candidates to look through than that, PostgreSQL answers. */
const MAX_DEPTH = 12_800;
/** With more pending changes than that the index is too far behind. */
const MAX_PENDING = 1_000;

/**
 * Search with candidates from Meilisearch.
 *
 * The server ranks by words only as far as it requires the first of them, so it only filters: groups of chunks, those
 * with the most telling terms first, in one federated request. Candidates are checked and ranked in PostgreSQL from
 * current rows, so that a stale index neither leaks nor hides anything.
 *
 * @param options.postgres answers the queries whose best chunks such groups do not single out, long ones, those of
 *   frequent words alone and those with a filter, all while the index is far behind, and what the database does not answer in time
 */
export function createMeilisearchEngine({
  db,
  server,
  postgres,
  synonyms = createSynonyms({ db }),
}: {
  db: Database;
  server: MeilisearchServer;
  postgres: Pick<ChunkIndex, 'search'>;
  synonyms?: Synonyms;
}): ChunkIndex {
  const engine = 'meilisearch' as const;
  return { engine, search, status };

  async function search(query: ChunkQuery): Promise<SearchCandidates> {
    const { terms, own, synonyms: used } = await synonyms.parse(query);
    if (terms.terms.length === 0 || query.datasetIds.length === 0)
      return { engine, mode: 'lexical', candidates: [], isTruncated: false };
    // Which chunks pass is known to PostgreSQL alone.
    if (query.filter) return postgres.search(query);
    if (own > MAX_TERMS || terms.terms.length > MAX_FILTERED_TERMS) return postgres.search(query);
    try {
      const found = await searchGroups(query, terms);
      return found ? { ...found, ...used } : await postgres.search(query);
    } catch (error) {
      // Such as when vacuum has not been at an outbox that many changes have left.
      if (isCancelledStatement(error)) return postgres.search(query);
      throw error;
    }
  }

  /** @returns undefined where groups are not to be relied on */
  async function searchGroups(query: ChunkQuery, words: QueryTerms): Promise<SearchCandidates | undefined> {
    // Read before the index is queried: rows that leave the outbox later are in the index by then.
    const [{ terms, corpus, mistyped }, pending, state] = await Promise.all([
      readCorpus(query, words),
      readPendingChunks(query),
      readIndexState(db),
    ]);
    // While an index with other documents is built beside it.
    if (state && hasFormerDocuments(state)) return undefined;
    const minRanked = Math.max(MIN_RANKED, DEPTH * query.limit);
    const chosen = groupMatches(terms, corpus, { wanted: query.limit, count: minRanked });
    if (!chosen || corpus.isPartial) return undefined;
    const filter = toReadFilter(query, createHasher(state?.hashSecret ?? ''));
    let { groups, others } = chosen;
    for (let depth = minRanked; ; ) {
      const { ids, isAll } = await queryIndex({
        state,
        filters: groups.map((group) => [...filter, group]),
        depth,
      });
      if (!pending) return undefined;
      const chunks = await readChunkTerms(db, query.tenantId, [...new Set([...ids, ...pending])]);
      const counted = await countTerms(terms, chunks);
      const located = await locateChunks(db, query, terms, counted);
      const candidates = rankChunks(terms, corpus, located).slice(0, query.limit);
      const isTruncated = !isAll || others !== undefined;
      if (!isTruncated || candidates.length >= query.limit) {
        return { engine, mode: 'lexical', candidates, isTruncated, ...toCorrections(query.text, mistyped) };
      }
      if (!others) depth *= DEPTH_GROWTH;
      else [groups, others] = [[...groups, others], undefined];
      if (depth > MAX_DEPTH) return undefined;
    }
  }

  /** The statistics of a query's terms and of what its mistyped words may mean. */
  async function readCorpus(query: ChunkQuery, words: QueryTerms) {
    const corpus = await readCorpusStatistics(db, query, words, { changed: MAX_COUNTED });
    const mistyped =
      query.typos === false || corpus.isPartial
        ? []
        : await findAlternatives(db, query, words, {
            corpus,
            findable: createFindable(db, query),
            unmerged: () => wordsOfChanged(corpus.changed),
          });
    if (mistyped.length === 0) return { terms: words, corpus, mistyped };
    const terms = withAlternatives(words, mistyped, corpus.frequencies);
    return {
      terms,
      corpus: await readCorpusStatistics(db, query, terms, { changed: MAX_COUNTED }),
      mistyped,
    };
  }

  /**
   * The pending chunks of the query's datasets, for read-your-writes consistency.
   *
   * @returns undefined where the tenant has too many
   */
  async function readPendingChunks({ tenantId, tenantUnitId, datasetIds }: ChunkQuery) {
    const newest = await db
      .selectFrom('searchOutbox')
      .select('chunkId')
      .where('tenantId', '=', tenantId)
      .orderBy('revision', 'desc')
      .limit(MAX_PENDING + 1)
      .execute();
    if (newest.length > MAX_PENDING) return undefined;
    if (newest.length === 0) return [];
    const { rows } = await sql<{ id: string }>`
      select c.id
      from unnest(${newest.map(({ chunkId }) => chunkId)}::text[]) as newest (id)
      cross join lateral (
        select id, document_id from chunks
        where tenant_id = ${tenantId} and id = newest.id and tenant_unit_id = any(${[tenantUnitId].flat()})
          and status = 'active' and not deleted limit 1) as c
      cross join lateral (
        select from document_datasets
        where tenant_id = ${tenantId} and document_id = c.document_id and dataset_id = any(${datasetIds}) limit 1) as s
    `.execute(db);
    return rows.map(({ id }) => id);
  }

  /**
   * Queries the index and checks in the same request that it is complete.
   *
   * @returns ids of chunks, those that an earlier filter finds first, and whether these are all
   */
  async function queryIndex({
    state,
    filters,
    depth,
  }: IndexQuery): Promise<{ ids: string[]; isAll: boolean }> {
    const { hits } = await send(toFederatedSearch(server.indexUid, filters, depth));
    const found = readCheckpoint(hits.find(({ id }) => id === CHECKPOINT_ID));
    // A rebuilt index may have been swapped in between.
    if (!isComplete(state, found) && !isComplete(await readIndexState(db), found)) {
      throw searchUnavailable(new Error('The index is incomplete; it is being filled.'));
    }
    const ids = hits.map(({ id }) => id).filter((id) => id !== CHECKPOINT_ID);
    return { ids, isAll: ids.length < depth };
  }

  async function send(search: FederatedMultiSearchParams): Promise<Results> {
    try {
      const client = await server.searchClient();
      return await inSpan('ask search server', { kind: 'client' }, async () =>
        searchResponse.parse(await client.multiSearch(search)),
      );
    } catch (error) {
      server.reportError(error);
      throw searchUnavailable(error);
    }
  }

  async function status() {
    try {
      const state = await readIndexState(db);
      if (!state || !hasFormerDocuments(state)) await queryIndex({ state, filters: [], depth: 0 });
      return { engine, available: true };
    } catch (error) {
      if (isOutage(error)) throw error;
      const { cause } = error as Error;
      return { engine, available: false, reason: toOperatorMessage(cause) };
    }
  }
}

interface IndexQuery {
  state: IndexState | undefined;
  filters: Filter[];
  /** Most chunks to find. */
  depth: number;
}

type Filter = (string | string[])[];

/** Filters for the matches; undefined where they single out no best ones. */
function groupMatches(
  query: QueryTerms,
  corpus: CorpusStatistics,
  sizes: { wanted: number; count: number },
): CandidateGroups | undefined {
  const { terms: weights } = weighQuery(query, corpus);
  const terms = query.terms.map((term, i) => ({
    term,
    weight: weights[i] ?? 0,
    frequency: corpus.frequencies[i] ?? 0,
  }));
  // Mistyped ones weigh nothing.
  const weighed = terms.filter(({ weight }) => weight > 0);
  return chooseCandidates(weighed, { size: corpus.size, ...sizes });
}

/** The part of a response that is used; validated, since another server may respond. */
const searchResponse = z.object({
  hits: z.array(z.object({ id: z.string(), revision: z.string().optional() })),
});
type Results = z.output<typeof searchResponse>;

/** The checkpoint, then what the filters find in their order: nothing is scored. A chunk that several find comes once. */
function toFederatedSearch(indexUid: string, filters: Filter[], depth: number): FederatedMultiSearchParams {
  const queries = [[`unitHash = ${CHECKPOINT_ID}`], ...filters].map((filter, place) => ({
    indexUid,
    filter,
    attributesToRetrieve: place === 0 ? ['id', 'revision'] : ['id'],
  }));
  return { federation: { limit: depth + 1 }, queries };
}

/** Whether the index has reached the checkpoint recorded in this database. */
function isComplete(state: IndexState | undefined, found: ReturnType<typeof readCheckpoint>): boolean {
  if (!state || !found || state.filling) return false;
  const { generation, checkpoint, rebuild } = state;
  if (rebuild?.phase === 'finishing' && found.generation === rebuild.generation) return true;
  return found.generation === generation && found.checkpoint >= checkpoint;
}
