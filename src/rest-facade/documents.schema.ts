import { z } from 'zod';
import {
  type Api,
  descriptionFields,
  documentStatus,
  documentType,
  externalId,
  fileReference,
  identifier,
  jsonRecord,
  sourceFields,
  storageType,
} from '../routers/index.js';
import type { AllFields } from './exhaustive-mapping.js';
import { jsonArrayText, jsonObjectText, listFields } from './list-parameters.js';
import { answered, tenantId, tenantUnitId } from './shared.schema.js';

/** A write may leave out what the caller may not read. */
type DomainDocument = Awaited<ReturnType<Api['documents']['update']>>;

export const DocumentType = documentType.meta({ id: 'DocumentType' });

export const Document = z
  .object({
    id: z.string().optional(),
    tenantId: z.string(),
    tenantUnitId: z.string(),
    documentType: answered(DocumentType),
    documentSubType: z.string().optional(),
    documentName: z.string().optional(),
    storageType: answered(storageType).optional(),
    storageBucket: z.string().optional(),
    storagePath: z.string().optional(),
    url: z.string().optional(),
    createdTime: z.iso.datetime().optional(),
    updatedTime: z.iso.datetime().optional(),
    status: answered(documentStatus).optional(),
    createdBy: z.string().optional(),
    updatedBy: z.string().optional(),
    title: z.string().optional(),
    category: z.string().optional(),
    processingProgress: z.number().optional().describe('Per cent'),
    customProperties: jsonRecord().optional(),
    enabled: z.boolean().optional(),
    documentContent: z.string().optional(),
  })
  .meta({ id: 'Document' });

/** Absent fields are left out, never null. */
export const toDocument = (row: DomainDocument): AllFields<z.input<typeof Document>> => ({
  id: row.id,
  tenantId: row.tenantId,
  tenantUnitId: row.tenantUnitId,
  documentType: row.documentType,
  documentSubType: row.documentSubType ?? undefined,
  documentName: row.documentName ?? undefined,
  storageType: row.storageType ?? undefined,
  storageBucket: row.storageBucket ?? undefined,
  storagePath: row.storagePath ?? undefined,
  url: row.url ?? undefined,
  createdTime: row.createdTime.toISOString(),
  updatedTime: row.updatedTime.toISOString(),
  status: row.status,
  createdBy: row.createdBy ?? undefined,
  updatedBy: row.updatedBy ?? undefined,
  title: row.title ?? undefined,
  category: row.category ?? undefined,
  processingProgress: row.processingProgress,
  customProperties: row.customProperties ?? undefined,
  enabled: row.enabled,
  documentContent: row.documentContent ?? undefined,
});

export const datasetIds = jsonArrayText()
  .optional()
  .describe('A JSON array of dataset ids, such as `["faq"]`');

export const NewDocument = z
  .object({
    tenantId,
    tenantUnitId,
    id: identifier().optional(),
    documentType: DocumentType,
    ...descriptionFields,
    ...sourceFields,
    storageBucket: sourceFields.storageBucket.describe('Together with `storagePath`'),
    url: sourceFields.url.describe('http or https'),
    documentContent: sourceFields.documentContent.describe(
      'The text itself; takes precedence over any location',
    ),
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

export const Upload = z
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

export const Upsert = z
  .object({
    externalId,
    tenantId,
    tenantUnitId,
    documentName: descriptionFields.documentName,
    url: sourceFields.url.describe('A document to fetch and process'),
    documentContent: sourceFields.documentContent.describe('The text itself; takes precedence over `url`'),
    custom_properties: descriptionFields.customProperties,
  })
  .meta({ id: 'DocumentUpsert' });

export const UpsertResult = z
  .object({ externalId: z.string(), documentName: z.string(), status: z.string() })
  .meta({ id: 'UpsertResult' });

export const toUpsertResult = (
  row: Pick<DomainDocument, 'documentName' | 'status'> & { externalId: string },
): AllFields<z.input<typeof UpsertResult>> => ({
  externalId: row.externalId,
  documentName: row.documentName ?? '',
  status: row.status,
});

export const DocumentChanges = z
  .object({
    url: sourceFields.url,
    customProperties: descriptionFields.customProperties.describe('Replaces the old object'),
    enabled: descriptionFields.enabled,
    documentContent: sourceFields.documentContent,
  })
  .meta({ id: 'DocumentChanges' });
