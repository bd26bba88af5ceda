import { z } from 'zod';
import {
  boundedArray,
  chunkContent,
  chunkIds,
  chunkKeywords,
  filterValue,
  identifier,
  searchQuery,
} from '../routers/index.js';
import { Chunk, ChunkStatus, SearchHit, toChunk, toSearchHit } from './chunks.schema.js';
import { page, pageSize, topK } from './conversations.schema.js';
import { apiKeyHeader, Empty, pageSchema, tenantId, tenantUnitId, toPagination } from './documents.schema.js';
import { endpoint, router } from './endpoint.js';
import { etagHeader, ifMatchHeader } from './etag.js';
import * as examples from './openapi-examples.js';
import { waitHeaders } from './prefer-header.js';

/** A query has room for no more. */
const MAX_UNITS = 100;

const V1 = '/admin/api/v1';
const DOUBLED = '/admin/api/v1/api/v1';
const common = { tags: ['Document chunks'], requestHeaders: apiKeyHeader };
const waiting = { ...common, ...waitHeaders };
const changed = {
  ...common,
  versioned: true,
  requestHeaders: waitHeaders.requestHeaders.extend(ifMatchHeader.shape),
  responseHeaders: waitHeaders.responseHeaders.extend(etagHeader.shape),
};
const searchEngine = z.object({
  'X-Search-Engine': z
    .enum(['meilisearch', 'postgres'])
    .describe('Which engine answered; PostgreSQL may stand in while Meilisearch cannot'),
});

const documentPath = z.object({ document_id: identifier() });
const chunkPath = z.object({ document_id: identifier(), chunk_id: identifier() });
const ids = chunkIds.meta({ 'x-limit': 'MAX_PAGE_SIZE' }).describe('Chunk ids of this document');

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
      query: z.object({ page, pageSize: pageSize(10), tenantId }),
    },
    pageSchema(Chunk, 'DocumentChunkPage'),
  ).query(async ({ ctx, input: { path, query } }) => {
    const { page, pageSize, ...scope } = query;
    const result = await ctx.api.chunks.list({ scope, documentId: path.documentId, page, pageSize });
    return { data: result.items.map(toChunk), pagination: toPagination(result) };
  }),

  search: endpoint(
    {
      ...common,
      method: 'POST',
      path: `${DOUBLED}/documentChunks/search`,
      summary: 'Search chunks within datasets',
      description: 'Finds active chunks of enabled documents, best first.',
      readOnly: true,
      responseHeaders: searchEngine,
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
          dataset_ids: boundedArray(filterValue()).describe('Any of these datasets'),
          query: searchQuery,
          top_k: topK,
          language: z
            .enum(['english', 'chinese'])
            .default('english')
            .describe('Whose question words and stop words do not count'),
        })
        .meta({ id: 'DocumentChunkSearch' }),
    },
    z.array(SearchHit),
    [['query.tenantId', 'body.tenant_id']],
  ).mutation(async ({ ctx, input: { body } }) => {
    const hits = await ctx.api.chunks.search({
      scope: { tenantId: body.tenant_id, tenantUnitId: body.tenant_unit_id },
      datasetIds: body.dataset_ids,
      query: body.query,
      topK: body.top_k,
      language: body.language,
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
      description: 'All of them or, if one does not exist, none.',
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
    const selection = { scope: query, documentId: path.document_id, chunkIds: body.documentChunkIds };
    await ctx.api.chunks.deleteMany(selection);
    await ctx.waitUntilSearchable(selection);
    return {};
  }),

  setStatusMany: endpoint(
    {
      ...waiting,
      method: 'PATCH',
      path: `${V1}/documents/{document_id}/documentChunks/batch/status`,
      summary: 'Activate or deactivate several chunks',
      description: 'All of them or, if one does not exist, none.',
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
    const selection = { scope: query, documentId: path.document_id, chunkIds: body.documentChunkIds };
    await ctx.api.chunks.setStatusMany({ ...selection, status: body.status });
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
    const { version } = await ctx.api.chunks.setStatus({ ...chunk, status: body.status });
    ctx.setETag(version);
    await ctx.waitUntilSearchable({ ...ref, chunkIds: [path.chunk_id] });
    return {};
  }),
});
