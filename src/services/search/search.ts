import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import type { Candidate, ChunkIndex, SearchEngine } from '../../search/chunk-index.js';
import { visibleDatasets } from '../documents/rows.js';
import { assertAtMost } from '../shared/pagination.js';
import { withinTenant } from '../shared/tenant-scope.js';
import type { ChunkSearch, SearchHit } from './search.schema.js';

/** Over-fetch candidates, since some may have changed; each retry asks for more. */
const EXTRA_CANDIDATES = 10;
const LIMIT_GROWTH_FACTOR = 4;

export interface SearchDependencies {
  db: Database;
  index: Pick<ChunkIndex, 'search'>;
  maxPageSize: number;
}

export type Search = ReturnType<typeof createSearch>;

export interface SearchResult {
  /** Which engine found the hits. */
  engine: SearchEngine;
  /** Whether the query matches more than one search reads: the least relevant matches were left out. */
  isTruncated: boolean;
  hits: SearchHit[];
}

/** Search over the chunks of datasets. */
export function createSearch({ db, index, maxPageSize }: SearchDependencies) {
  return { search };

  /** The index returns candidates; hits are verified against and read from the database. */
  async function search({ scope, datasetIds, query, topK, language }: ChunkSearch): Promise<SearchResult> {
    assertAtMost(maxPageSize, topK, 'topK');
    for (let limit = topK + EXTRA_CANDIDATES; ; limit *= LIMIT_GROWTH_FACTOR) {
      const { engine, candidates, isTruncated } = await index.search({
        ...scope,
        datasetIds,
        text: query,
        language,
        limit,
      });
      const hits = await readHits(candidates, { scope, datasetIds });
      if (hits.length >= topK || candidates.length < limit)
        return { engine, isTruncated, hits: hits.slice(0, topK) };
    }
  }

  async function readHits(
    candidates: Candidate[],
    { scope, datasetIds }: Pick<ChunkSearch, 'scope' | 'datasetIds'>,
  ): Promise<SearchHit[]> {
    if (candidates.length === 0) return [];
    const ids = candidates.map(({ chunkId }) => chunkId);
    const rows = await db
      .selectFrom('chunks as c')
      .innerJoin('documents as d', (join) =>
        join.onRef('d.tenantId', '=', 'c.tenantId').onRef('d.id', '=', 'c.documentId'),
      )
      .where('c.id', 'in', ids)
      .where(withinTenant(scope, 'c'))
      .where('c.status', '=', 'active')
      .where('c.deleted', '=', false)
      .where('d.enabled', '=', true)
      .select(['c.id', 'c.documentId', 'c.tenantId', 'c.tenantUnitId', 'c.content', 'c.contentComplement'])
      .select(['c.keywords', 'c.createdTime', 'c.updatedTime'])
      .select(['d.documentName', 'd.documentType'])
      .select((eb) => eb.fn.coalesce('d.documentSubType', 'd.sniffedSubType').as('documentSubType'))
      .select(
        sql<string[]>`array(
          select dataset_id::text from document_datasets as s
          where s.tenant_id = c.tenant_id and s.document_id = c.document_id
          order by dataset_id)`.as('datasetIds'),
      )
      .where(
        sql<SqlBool>`exists (
          select from document_datasets as s
          where s.tenant_id = c.tenant_id and s.document_id = c.document_id
            and s.dataset_id = any(${datasetIds}))`,
      )
      .execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    return candidates.flatMap(({ chunkId, score }) => {
      const row = byId.get(chunkId);
      return row
        ? {
            ...row,
            datasetIds: visibleDatasets(row.datasetIds, scope),
            score,
            keywords: bestFirst(row.keywords),
            documentName: row.documentName ?? '',
            documentSubType: row.documentSubType ?? '',
          }
        : [];
    });
  }
}

const bestFirst = (keywords: Record<string, number>): string[] =>
  Object.entries(keywords)
    .sort(([, a], [, b]) => b - a)
    .map(([word]) => word);
