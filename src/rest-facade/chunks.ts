import { z } from 'zod';
import {
  boundedArray,
  chunkContent,
  chunkFilter,
  chunkIds,
  chunkKeywords,
  chunkSearch,
  identifier,
  searchEngine,
  searchMode,
} from '../routers/index.js';
import { Chunk, ChunkStatus, SearchHit, toChunk, toSearchHit } from './chunks.schema.js';
import { endpoint, router } from './endpoint.js';
import { knowledgeEndpoint } from './knowledge-endpoint.js';
import * as examples from './openapi-examples.js';
import { pageParameters, pageV1, toPageV1 } from './pagination.schema.js';
import { CONFIGURED_LIMIT, configuredMaximum, Empty, tenantId, tenantUnitId } from './shared.schema.js';

/** A query has room for no more. */
const MAX_UNITS = 100;

const V1 = '/admin/api/v1';
const DOUBLED = '/admin/api/v1/api/v1';
const { common, waiting, changed } = knowledgeEndpoint('Document chunks');
const searchHeaders = z.object({
  'X-Search-Engine': searchEngine.describe(
    'Which engine proposed the candidates; PostgreSQL may stand in while Meilisearch cannot. PostgreSQL corrects typing errors, ranks and verifies the hits of both',
  ),
  'X-Search-Mode': searchMode.describe(
    '"hybrid" when meaning counted beside words, "semantic" when it counted alone: where embeddings are configured, and answered in time',
  ),
  'X-Search-Reranked': z
    .enum(['true', 'false'])
    .optional()
    .describe('Whether a reranker ordered the hits; absent where none is configured'),
  'X-Search-Truncated': z
    .string()
    .optional()
    .describe('"true" when more matches than one search reads: the least relevant were left out'),
});

const documentPath = z.object({ document_id: identifier() });
const chunkPath = z.object({ document_id: identifier(), chunk_id: identifier() });
const ids = chunkIds.meta(CONFIGURED_LIMIT).describe('Chunk ids of this document');

export const chunks = router({
  list: endpoint(
    {
      ...common,
      method: 'GET',
      path: `${DOUBLED}/documents/{documentId}/documentChunks/`,
      summary: "List a document's chunks, in document order",
      errors: [404],
      example: { query: { tenantId: 'demo' }, response: examples.chunkPage },
    },
    {
      path: z.object({ documentId: identifier() }),
      query: z.object({ ...pageParameters(chunkFilter), tenantId }),
    },
    pageV1(Chunk, 'DocumentChunkPage'),
  ).query(async ({ ctx, input: { path, query } }) => {
    const { page, pageSize, ...scope } = query;
    const result = await ctx.api.chunks.list({ ...path, scope, page, pageSize });
    return toPageV1(result, toChunk);
  }),

  search: endpoint(
    {
      ...common,
      method: 'POST',
      path: `${DOUBLED}/documentChunks/search`,
      summary: 'Search chunks within datasets',
      description: 'Finds active chunks of enabled documents, best first.',
      readOnly: true,
      responseHeaders: searchHeaders,
      example: {
        query: { tenantId: 'demo' },
        body: examples.search,
        response: [examples.searchHit],
      },
    },
    {
      query: z.object({ tenantId }),
      body: z
        .object({
          tenant_id: tenantId,
          tenant_unit_id: tenantUnitId,
          dataset_ids: chunkSearch.shape.datasetIds.describe('Any of these datasets'),
          query: chunkSearch.shape.query,
          top_k: configuredMaximum(chunkSearch.shape.topK),
          language: chunkSearch.shape.language.describe(
            'The language whose question words and stop words are ignored',
          ),
        })
        .meta({ id: 'DocumentChunkSearch' }),
    },
    z.array(SearchHit),
    [['query.tenantId', 'body.tenant_id']],
  ).mutation(async ({ ctx, input: { query, body } }) => {
    const { tenant_id, tenant_unit_id, dataset_ids, top_k, ...fields } = body;
    const hits = await ctx.api.chunks.search({
      ...fields,
      scope: { ...query, tenantId: tenant_id, tenantUnitId: tenant_unit_id },
      datasetIds: dataset_ids,
      topK: top_k,
    });
    return hits.map(toSearchHit);
  }),

  update: endpoint(
    {
      ...changed,
      method: 'PATCH',
      path: `${DOUBLED}/documents/{document_id}/documentChunks/{chunk_id}`,
      summary: 'Edit a chunk',
      errors: [404, 412],
      example: { query: { tenantId: 'demo' }, body: { keywords: ['refund', 'deadline'] }, response: {} },
    },
    {
      path: chunkPath,
      query: z.object({ tenantId }),
      body: z
        .object({ content: chunkContent.optional(), keywords: chunkKeywords.optional() })
        .meta({ id: 'DocumentChunkChanges' }),
    },
    Empty,
  ).mutation(async ({ ctx, input: { path, query, body } }) => {
    const ref = { scope: query, documentId: path.document_id };
    const { expectedVersion } = ctx;
    const chunk = { ...ref, chunkId: path.chunk_id, expectedVersion };
    const { version } = await ctx.api.chunks.update({ ...body, ...chunk });
    ctx.setETag(version);
    await ctx.waitUntilSearchable({ ...ref, chunkIds: [path.chunk_id] });
    return {};
  }),

  deleteMany: endpoint(
    {
      ...waiting,
      method: 'DELETE',
      path: `${V1}/documents/{document_id}/documentChunks/batch`,
      summary: 'Delete several chunks',
      description: 'Applies to all chunks or, if one does not exist, to none.',
      errors: [404],
      example: { query: { tenantId: 'demo' }, body: { documentChunkIds: [examples.CHUNK_ID] }, response: {} },
    },
    {
      path: documentPath,
      query: z.object({
        tenantUnitId: boundedArray(tenantUnitId, MAX_UNITS).optional().describe('Any of these tenant units'),
        tenantId: tenantId.optional(),
      }),
      body: z.object({ documentChunkIds: ids }).meta({ id: 'DocumentChunkSelection' }),
    },
    Empty,
  ).mutation(async ({ ctx, input: { path, query, body } }) => {
    const { documentChunkIds, ...fields } = body;
    const selection = { scope: query, documentId: path.document_id, chunkIds: documentChunkIds };
    await ctx.api.chunks.deleteMany({ ...fields, ...selection });
    await ctx.waitUntilSearchable(selection);
    return {};
  }),

  setStatusMany: endpoint(
    {
      ...waiting,
      method: 'PATCH',
      path: `${V1}/documents/{document_id}/documentChunks/batch/status`,
      summary: 'Activate or deactivate several chunks',
      description: 'Applies to all chunks or, if one does not exist, to none.',
      errors: [404],
      example: {
        query: { tenantId: 'demo', tenantUnitId: 'demo' },
        body: { status: 'inactive', documentChunkIds: [examples.CHUNK_ID] },
        response: {},
      },
    },
    {
      path: documentPath,
      query: z.object({ tenantUnitId, tenantId: tenantId.optional() }),
      body: z.object({ status: ChunkStatus, documentChunkIds: ids }).meta({ id: 'DocumentChunkSwitches' }),
    },
    Empty,
  ).mutation(async ({ ctx, input: { path, query, body } }) => {
    const { documentChunkIds, ...fields } = body;
    const selection = { scope: query, documentId: path.document_id, chunkIds: documentChunkIds };
    await ctx.api.chunks.setStatusMany({ ...fields, ...selection });
    await ctx.waitUntilSearchable(selection);
    return {};
  }),

  setStatus: endpoint(
    {
      ...changed,
      method: 'PATCH',
      path: `${DOUBLED}/documents/{document_id}/documentChunks/{chunk_id}/status`,
      summary: 'Activate or deactivate a chunk',
      errors: [404, 412],
      example: {
        query: { tenantId: 'demo', tenantUnitId: 'demo' },
        body: { status: 'inactive' },
        response: {},
      },
    },
    {
      path: chunkPath,
      query: z.object({ tenantUnitId, tenantId }),
      body: z.object({ status: ChunkStatus }).meta({ id: 'DocumentChunkSwitch' }),
    },
    Empty,
  ).mutation(async ({ ctx, input: { path, query, body } }) => {
    const ref = { scope: query, documentId: path.document_id };
    const { expectedVersion } = ctx;
    const chunk = { ...ref, chunkId: path.chunk_id, expectedVersion };
    const { version } = await ctx.api.chunks.setStatus({ ...body, ...chunk });
    ctx.setETag(version);
    await ctx.waitUntilSearchable({ ...ref, chunkIds: [path.chunk_id] });
    return {};
  }),
});
