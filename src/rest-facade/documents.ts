import { z } from 'zod';
import { documentFilter, filterValue, identifier } from '../routers/index.js';
import { documentCreation } from './document-creation.js';
import { Document, DocumentChanges, toDocument } from './documents.schema.js';
import { endpoint, router } from './endpoint.js';
import { etagHeader, ifMatchHeader } from './etag.js';
import { knowledgeEndpoint } from './knowledge-endpoint.js';
import { jsonArrayText, optionalListText } from './list-parameters.js';
import * as examples from './openapi-examples.js';
import { pageParameters, pageV1, toPageV1 } from './pagination.schema.js';
import { Empty, tenantId, tenantUnitId } from './shared.schema.js';

const PATH = '/admin/api/v1/documents';
const ONE = `${PATH}/{documentId}` as const;
const { common, changed } = knowledgeEndpoint('Documents');

const path = z.object({ documentId: identifier() });
const query = z.object({ tenantId });
export const documents = router({
  ...documentCreation,

  get: endpoint(
    {
      ...common,
      responseHeaders: etagHeader,
      method: 'GET',
      path: ONE,
      summary: 'Fetch a document',
      errors: [404],
      example: { query: { tenantId: 'demo' }, response: examples.document },
    },
    { path, query },
    Document,
  ).query(async ({ ctx, input: { path, query } }) => {
    const document = await ctx.api.documents.get({ ...path, scope: query });
    ctx.setETag(document.version);
    return toDocument(document);
  }),

  list: endpoint(
    {
      ...common,
      method: 'GET',
      path: PATH,
      summary: 'List documents, newest first',
      example: { query: { tenantId: 'demo' }, response: examples.documentPage },
    },
    {
      query: z.object({
        type: filterValue().optional().describe('A document type; together with `types`, any of them'),
        types: optionalListText().optional().describe('Document types, comma-separated or as a JSON array'),
        tenantUnitId: tenantUnitId.optional(),
        datasetIds: optionalListText().optional().describe('Dataset ids, comma-separated; any of them'),
        ...pageParameters(documentFilter),
        tenantId,
      }),
    },
    pageV1(Document, 'DocumentPage'),
  ).query(async ({ ctx, input: { query } }) => {
    const { type, types, datasetIds, page, pageSize, ...scope } = query;
    const documentTypes = [...(types ?? []), ...(type ? [type] : [])];
    const result = await ctx.api.documents.list({
      scope,
      page,
      pageSize,
      ...(documentTypes.length > 0 && { documentTypes }),
      datasetIds,
    });
    return toPageV1(result, toDocument);
  }),

  delete: endpoint(
    {
      ...common,
      versioned: true,
      requestHeaders: common.requestHeaders.extend(ifMatchHeader.shape),
      method: 'DELETE',
      path: ONE,
      summary: 'Delete a document and its chunks',
      status: 204,
      errors: [404, 412],
      example: { query: { tenantId: 'demo' } },
    },
    { path, query },
    z.void(),
  ).mutation(({ ctx, input: { path, query } }) =>
    ctx.api.documents.delete({ ...path, scope: query, expectedVersion: ctx.expectedVersion }),
  ),

  byIds: endpoint(
    {
      ...common,
      method: 'GET',
      path: `${PATH}/byIds`,
      summary: 'Fetch several documents',
      description: 'Returns the documents in the order of the ids. Ids that do not exist are left out.',
      example: {
        query: { tenantId: 'demo', documentIds: '["0198c7a4-5b1e-7d3a-9c55-2f4de1a6b803"]' },
        response: [examples.document],
      },
    },
    {
      query: z.object({
        documentIds: jsonArrayText().describe('A JSON array of document ids, at most 100'),
        tenantId,
      }),
    },
    z.array(Document),
  ).query(async ({ ctx, input: { query } }) => {
    const { documentIds, ...scope } = query;
    return (await ctx.api.documents.getMany({ scope, documentIds })).map(toDocument);
  }),

  update: endpoint(
    {
      ...changed,
      method: 'PATCH',
      path: ONE,
      summary: 'Change a document',
      description:
        'New content, or a new URL, is processed in the background; searches find the old chunks until then.',
      errors: [404, 412],
      example: { query: { tenantId: 'demo' }, body: { enabled: false }, response: examples.document },
    },
    { path, query, body: DocumentChanges },
    Document,
  ).mutation(async ({ ctx, input: { path, query, body } }) => {
    const ref = { ...path, scope: query };
    const { expectedVersion } = ctx;
    const document = await ctx.api.documents.update({ ...body, ...ref, expectedVersion });
    await ctx.waitUntilSearchable(ref);
    ctx.setETag(document.version);
    return toDocument(document);
  }),

  toggle: endpoint(
    {
      ...changed,
      method: 'PATCH',
      path: `${ONE}/toggle`,
      summary: 'Enable or disable a document',
      errors: [404, 412],
      example: { query: { tenantId: 'demo' }, body: { enabled: false }, response: {} },
    },
    { path, query, body: z.object({ enabled: z.boolean() }).meta({ id: 'DocumentSwitch' }) },
    Empty,
  ).mutation(async ({ ctx, input: { path, query, body } }) => {
    const ref = { ...path, scope: query };
    const { expectedVersion } = ctx;
    const { version } = await ctx.api.documents.setEnabled({ ...body, ...ref, expectedVersion });
    await ctx.waitUntilSearchable(ref);
    ctx.setETag(version);
    return {};
  }),
});
