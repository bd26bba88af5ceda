import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import {
  type Candidate,
  type ChunkIndex,
  type Completion,
  type Correction,
  type SearchEngine,
  type SearchMode,
  scorePartsOf,
} from '../../search/chunk-index.js';
import { passing } from '../../search/filter/condition.js';
import { inSpan, type Span } from '../../tracing/spans.js';
import { visibleDatasets } from '../documents/rows.js';
import { bytesOf } from '../shared/page-bytes.js';
import { assertAtMost } from '../shared/pagination.js';
import { addContext } from './add-context.js';
import { type CitedRow, takeCitation } from './citation.js';
import type { ChunkSearch, ScoreParts, SearchHit } from './search.schema.js';

/** Over-fetch candidates, since some may have changed; each retry asks for more. */
const EXTRA_CANDIDATES = 10;
const LIMIT_GROWTH_FACTOR = 4;
/** Larger custom properties are not answered with hits. */
const MAX_PROPERTIES_BYTES = 16 * 1024;

export interface SearchDependencies {
  db: Database;
  index: Pick<ChunkIndex, 'search'>;
  maxPageSize: number;
}

export type Search = ReturnType<typeof createSearch>;

export interface SearchResult {
  /** Which engine found the hits. */
  engine: SearchEngine;
  /** Whether their meaning counted, too. */
  mode: SearchMode;
  /** Whether the query matches more than one search reads: the least relevant matches were left out. */
  isTruncated: boolean;
  /** Whether a reranker ordered them; undefined where none is configured. */
  isReranked: boolean | undefined;
  /** What it had to do without, and why, for operators. */
  notes: string[];
  /** Words of the question that were also searched as they may be meant. */
  corrections: Correction[];
  /** The question with these words as they are most likely meant; null where none seems mistyped. */
  didYouMean: string | null;
  /** What an unfinished question may become. */
  completions: Completion[];
  /** Phrases of the question that were also searched as their synonyms. */
  synonyms: Correction[];
  hits: SearchHit[];
  /** What their scores are made of. */
  parts: ScoreParts[];
}

/** Search over the chunks of datasets. */
export function createSearch({ db, index, maxPageSize }: SearchDependencies) {
  return { search };

  /** The index returns candidates; hits are verified against and read from the database. */
  function search(search: ChunkSearch): Promise<SearchResult> {
    const { scope, topK } = search;
    const attributes = { 'lectern.tenant_id': scope.tenantId, 'lectern.search.top_k': topK };
    return inSpan('search', { attributes }, async (span) => {
      const result = await find(search, span);
      const { engine, mode, isTruncated, isReranked, hits } = result;
      span?.set({
        'lectern.search.engine': engine,
        'lectern.search.mode': mode,
        'lectern.search.is_truncated': isTruncated,
        'lectern.search.is_reranked': isReranked,
        'lectern.search.hits': hits.length,
      });
      return result;
    });
  }

  async function find(search: ChunkSearch, span: Span | undefined): Promise<SearchResult> {
    const { scope, datasetIds, query, topK, language } = search;
    assertAtMost(maxPageSize, topK, 'topK');
    for (let limit = topK + EXTRA_CANDIDATES; ; limit *= LIMIT_GROWTH_FACTOR) {
      const {
        engine,
        mode,
        candidates,
        isTruncated,
        isReranked,
        notes = [],
        corrections = [],
        didYouMean = null,
        completions = [],
        synonyms = [],
      } = await index.search({
        ...scope,
        datasetIds,
        text: query,
        language,
        limit,
        mode: search.mode,
        typos: search.typos,
        synonyms: search.synonyms,
        filter: search.filter,
      });
      span?.event('candidates', { 'lectern.search.candidates': candidates.length });
      const hits = await readHits(candidates, search);
      if (hits.length >= topK || candidates.length < limit) {
        const best = await addContext(db, hits.slice(0, topK), search);
        const parts = partsOf(best, candidates);
        const told = { notes, corrections, didYouMean, completions, synonyms };
        return { engine, mode, isTruncated, isReranked, ...told, hits: best, parts };
      }
    }
  }

  async function readHits(
    candidates: Candidate[],
    { scope, datasetIds, filter, properties }: ChunkSearch,
  ): Promise<SearchHit[]> {
    if (candidates.length === 0) return [];
    const { tenantId, tenantUnitId } = scope;
    const ids = candidates.map(({ chunkId }) => chunkId);
    // Looked up one by one through an index, whatever the planner's statistics are: `limit` sees to that.
    const { rows } = await sql<HitRow>`
      select c.*, d.*
      from unnest(${ids}::text[]) as asked (chunk_id)
      cross join lateral (
        select id, document_id, tenant_id, tenant_unit_id, content, content_complement, keywords, created_time, updated_time,
          ordinal, revision, source_hash, edited, metadata
        from chunks
        where tenant_id = ${tenantId} and id = asked.chunk_id and tenant_unit_id = any(${[tenantUnitId].flat()})
          and status = 'active' and not deleted limit 1) as c
      cross join lateral (
        select document_name, document_type, coalesce(document_sub_type, sniffed_sub_type) as document_sub_type,
          title, url, sniffed_sub_type, processed_time, dataset_ids ${properties ? customProperties : sql``}
        from documents
        where tenant_id = ${tenantId} and id = c.document_id and enabled and dataset_ids && ${datasetIds}::text[] limit 1) as d
      ${passing({ tenantId, filter }, sql`asked.chunk_id`)}
    `.execute(db);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return candidates.flatMap(({ chunkId, score }) => {
      const found = byId.get(chunkId);
      if (!found) return [];
      const { citation, row } = takeCitation(found);
      return {
        ...row,
        datasetIds: visibleDatasets(row.datasetIds, scope),
        score,
        keywords: bestFirst(row.keywords),
        documentName: row.documentName ?? '',
        documentSubType: row.documentSubType ?? '',
        citation,
      };
    });
  }
}

const customProperties = sql`, case when ${bytesOf('documents.customProperties')} <= ${sql.lit(MAX_PROPERTIES_BYTES)}
  then custom_properties end as custom_properties`;

function partsOf(hits: SearchHit[], candidates: Candidate[]): ScoreParts[] {
  const byId = new Map(candidates.map((one) => [one.chunkId, one]));
  return hits.map(({ id }) => scorePartsOf(byId.get(id)));
}

type HitRow = Omit<
  SearchHit,
  'score' | 'keywords' | 'documentName' | 'documentSubType' | 'citation' | 'context'
> &
  CitedRow & {
    keywords: Record<string, number>;
    documentName: string | null;
    documentSubType: string | null;
  };

const bestFirst = (keywords: Record<string, number>): string[] =>
  Object.entries(keywords)
    .sort(([, a], [, b]) => b - a)
    .map(([word]) => word);
