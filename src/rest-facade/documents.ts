import { z } from 'zod';
import {
  descriptionFields,
  externalId,
  fileReference,
  filterValue,
  identifier,
  sourceFields,
} from '../routers/index.js';
import { page, pageSize } from './conversations.schema.js';
import {
  apiKeyHeader,
  Document,
  DocumentType,
  Empty,
  pageSchema,
  tenantId,
  tenantUnitId,
  toDocument,
  toPagination,
} from './documents.schema.js';
import { endpoint, router } from './endpoint.js';
import { etagHeader, ifMatchHeader } from './etag.js';
import { jsonArrayText, jsonObjectText, listFields, optionalListText } from './list-parameters.js';
import * as examples from './openapi-examples.js';
import { waitHeaders } from './prefer-header.js';

const PATH = '/admin/api/v1/documents';
const ONE = `${PATH}/{documentId}` as const;
const common = { tags: ['Documents'], requestHeaders: apiKeyHeader };
const waiting = { ...common, ...waitHeaders };
const made = { ...waiting, responseHeaders: waitHeaders.responseHeaders.extend(etagHeader.shape) };
const changed = {
  ...made,
  versioned: true,
  requestHeaders: waitHeaders.requestHeaders.extend(ifMatchHeader.shape),
};

const path = z.object({ documentId: identifier() });
const query = z.object({ tenantId });
const datasetIds = jsonArrayText().optional().describe('A JSON array of dataset ids, such as `["faq"]`');

const NewDocument = z
  .object({
    tenantId,
    tenantUnitId,
    id: identifier().optional(),
    documentType: DocumentType,
    ...descriptionFields,
    ...sourceFields,
    storageBucket: sourceFields.storageBucket.describe('Together with `storagePath`'),
    url: sourceFields.url.describe('http or https'),
    documentContent: sourceFields.documentContent.describe('The text itself; comes before any location'),
  })
  .meta({
    id: 'NewDocument',
    dependentRequired: { storageBucket: ['storagePath'], storagePath: ['storageBucket'] },
  });

/** A file that has been received already; a client sends it as the part's bytes. */
const file = fileReference.meta({
  override: ({ jsonSchema }) => {
    for (const name of Object.keys(jsonSchema)) delete jsonSchema[name as keyof typeof jsonSchema];
    Object.assign(jsonSchema, { type: 'string', format: 'binary' });
  },
});

const Upload = z
  .object({
    documentType: DocumentType,
    datasetIds: listFields().describe(
      'Repeated fields, or one field with a comma-separated list or a JSON array',
    ),
    tenantId,
    tenantUnitId,
    file,
    documentSubType: descriptionFields.documentSubType,
    category: descriptionFields.category,
    customProperties: jsonObjectText().optional().describe('A JSON object'),
  })
  .meta({ id: 'DocumentUpload' });

const Upsert = z
  .object({
    externalId,
    tenantId,
    tenantUnitId,
    documentName: descriptionFields.documentName,
    url: sourceFields.url.describe('A document to fetch and process'),
    documentContent: sourceFields.documentContent.describe('The text itself; comes before `url`'),
    custom_properties: descriptionFields.customProperties,
  })
  .meta({ id: 'DocumentUpsert' });

const UpsertResult = z
  .object({ externalId: z.string(), documentName: z.string(), status: z.string() })
  .meta({ id: 'UpsertResult' });

const DocumentChanges = z
  .object({
    url: sourceFields.url,
    customProperties: descriptionFields.customProperties.describe('Replaces the old object'),
    enabled: descriptionFields.enabled,
    documentContent: sourceFields.documentContent,
  })
  .meta({ id: 'DocumentChanges' });

export const documents = router({
  create: endpoint(
    {
      ...made,
      method: 'POST',
      path: PATH,
      summary: 'Create a document',
      description: 'From inline content, a storage location or a URL; it is processed in the background.',
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
    const { tenantId, tenantUnitId, ...fields } = body;
    const document = await ctx.api.documents.create({
      ...fields,
      scope: { tenantId, tenantUnitId },
      datasetIds: query.datasetIds,
    });
    await ctx.waitUntilSearchable(refOf(document));
    ctx.setETag(document.version);
    return toDocument(document);
  }),

  upload: endpoint(
    {
      ...made,
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
  ).mutation(async ({ ctx, input: { body } }) => {
    const { tenantId, tenantUnitId, ...fields } = body;
    const document = await ctx.api.documents.create({ ...fields, scope: { tenantId, tenantUnitId } });
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
      description: 'Fields that are absent keep what was there; the same content is not processed again.',
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
    const { tenantId, tenantUnitId, custom_properties, ...fields } = body;
    const document = await ctx.api.documents.upsert({
      ...fields,
      scope: { tenantId, tenantUnitId },
      customProperties: custom_properties,
      datasetIds: query.datasetIds,
    });
    await ctx.waitUntilSearchable(refOf(document));
    const { externalId, documentName, status } = document;
    return { externalId: externalId ?? body.externalId, documentName: documentName ?? '', status };
  }),

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
    const document = await ctx.api.documents.get({ scope: query, documentId: path.documentId });
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
        page,
        pageSize: pageSize(10),
        tenantId,
      }),
    },
    pageSchema(Document, 'DocumentPage'),
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
    return { data: result.items.map(toDocument), pagination: toPagination(result) };
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
    ctx.api.documents.delete({
      scope: query,
      documentId: path.documentId,
      expectedVersion: ctx.expectedVersion,
    }),
  ),

  byIds: endpoint(
    {
      ...common,
      method: 'GET',
      path: `${PATH}/byIds`,
      summary: 'Fetch several documents',
      description: 'In the order asked for; ids that do not exist are left out.',
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
        'New content, or a new URL, is processed in the background; the old chunks serve until then.',
      errors: [404, 412],
      example: { query: { tenantId: 'demo' }, body: { enabled: false }, response: examples.document },
    },
    { path, query, body: DocumentChanges },
    Document,
  ).mutation(async ({ ctx, input: { path, query, body } }) => {
    const ref = { scope: query, documentId: path.documentId };
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
    const ref = { scope: query, documentId: path.documentId };
    const { expectedVersion } = ctx;
    const { version } = await ctx.api.documents.setEnabled({ ...body, ...ref, expectedVersion });
    await ctx.waitUntilSearchable(ref);
    ctx.setETag(version);
    return {};
  }),
});

const refOf = ({ tenantId, id }: { tenantId: string; id: string }) => ({
  scope: { tenantId },
  documentId: id,
});
