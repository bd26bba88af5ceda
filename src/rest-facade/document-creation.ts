import { z } from 'zod';
import { externalId } from '../routers/index.js';
import {
  Document,
  datasetIds,
  NewDocument,
  toDocument,
  toUpsertResult,
  Upload,
  Upsert,
  UpsertResult,
} from './documents.schema.js';
import { endpoint } from './endpoint.js';
import { knowledgeEndpoint } from './knowledge-endpoint.js';
import * as examples from './openapi-examples.js';
import { tenantId, tenantUnitId } from './shared.schema.js';

const PATH = '/admin/api/v1/documents';
const { created, waiting } = knowledgeEndpoint('Documents');

/** The endpoints that create documents; part of the documents router. */
export const documentCreation = {
  create: endpoint(
    {
      ...created,
      method: 'POST',
      path: PATH,
      summary: 'Create a document',
      description:
        'Creates a document from inline content, a storage location or a URL, and processes it in the background.',
      errors: [409],
      example: {
        query: { tenantId: 'demo', datasetIds: '["faq"]' },
        body: examples.newDocument,
        response: examples.document,
      },
    },
    {
      query: z.object({ datasetIds, tenantUnitId: tenantUnitId.optional(), tenantId }),
      body: NewDocument,
    },
    Document,
    [
      ['query.tenantId', 'body.tenantId'],
      ['query.tenantUnitId', 'body.tenantUnitId'],
    ],
  ).mutation(async ({ ctx, input: { query, body } }) => {
    const { datasetIds, ...scope } = query;
    const { tenantId, tenantUnitId, ...fields } = body;
    const document = await ctx.api.documents.create({
      ...fields,
      scope: { ...scope, tenantId, tenantUnitId },
      datasetIds,
    });
    await ctx.waitUntilSearchable(refOf(document));
    ctx.setETag(document.version);
    return toDocument(document);
  }),

  upload: endpoint(
    {
      ...created,
      method: 'POST',
      path: `${PATH}/upload`,
      summary: 'Create a document from a file',
      description: 'The file is stored while it arrives and processed in the background.',
      contentTypes: ['multipart/form-data'],
      example: { response: examples.document },
    },
    {
      query: z.object({ tenantId: tenantId.optional(), tenantUnitId: tenantUnitId.optional() }),
      body: Upload,
    },
    Document,
    [
      ['query.tenantId', 'body.tenantId'],
      ['query.tenantUnitId', 'body.tenantUnitId'],
    ],
  ).mutation(async ({ ctx, input: { query, body } }) => {
    const { tenantId, tenantUnitId, ...fields } = body;
    const scope = { ...query, tenantId, tenantUnitId };
    const document = await ctx.api.documents.create({ ...fields, scope });
    await ctx.waitUntilSearchable(refOf(document));
    ctx.setETag(document.version);
    return toDocument(document);
  }),

  upsert: endpoint(
    {
      ...waiting,
      method: 'PUT',
      path: '/admin/api/v1/api/v1/documents/byExternalId/{externalId}',
      summary: 'Create or update a document by external id',
      description: 'Absent fields keep their value. Unchanged content is not processed again.',
      example: {
        path: { externalId: 'handbook-7' },
        query: { tenantId: 'demo', datasetIds: '["faq"]' },
        body: examples.upsert,
        response: examples.upsertResult,
      },
    },
    {
      path: z.object({ externalId }),
      query: z.object({ datasetIds, tenantId }),
      body: Upsert,
    },
    UpsertResult,
    [
      ['query.tenantId', 'body.tenantId'],
      ['path.externalId', 'body.externalId'],
    ],
  ).mutation(async ({ ctx, input: { query, body } }) => {
    const { datasetIds, ...scope } = query;
    const { tenantId, tenantUnitId, custom_properties, ...fields } = body;
    const document = await ctx.api.documents.upsert({
      ...fields,
      scope: { ...scope, tenantId, tenantUnitId },
      customProperties: custom_properties,
      datasetIds,
    });
    await ctx.waitUntilSearchable(refOf(document));
    return toUpsertResult({ ...document, externalId: fields.externalId });
  }),
};

const refOf = ({ tenantId, id }: { tenantId: string; id: string }) => ({
  scope: { tenantId },
  documentId: id,
});
