import { z } from 'zod';
import { type Api, documentStatuses, documentTypes, identifier, jsonRecord } from '../routers/index.js';

type DomainDocument = Awaited<ReturnType<Api['documents']['list']>>['items'][number];

export const DocumentType = z.enum(documentTypes).meta({ id: 'DocumentType' });

export const Document = z
  .object({
    id: z.string().optional(),
    tenantId: z.string(),
    tenantUnitId: z.string(),
    documentType: DocumentType,
    documentSubType: z.string().optional(),
    documentName: z.string().optional(),
    storageType: z.enum(['s3', 'gcs']).optional(),
    storageBucket: z.string().optional(),
    storagePath: z.string().optional(),
    url: z.string().optional(),
    createdTime: z.iso.datetime().optional(),
    updatedTime: z.iso.datetime().optional(),
    status: z.enum(documentStatuses).optional(),
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

export const Pagination = z
  .object({ totalCount: z.int(), currentPage: z.int(), pageSize: z.int(), totalPages: z.int() })
  .meta({ id: 'Pagination' });

export const pageSchema = <T extends z.ZodType>(item: T, id: string) =>
  z.object({ data: z.array(item), pagination: Pagination }).meta({ id });

export const Empty = z.object({}).meta({ id: 'Empty' });

export const tenantId = identifier().describe('The tenant');
export const tenantUnitId = identifier().describe('The tenant unit');

export const apiKeyHeader = z.object({ 'X-Api-Key': z.string().optional().describe('The API key') });

/** Absent fields are left out, never null. */
export const toDocument = (
  row: DomainDocument & { documentContent?: string | null },
): z.input<typeof Document> => ({
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

export const toPagination = (result: {
  page: number;
  pageSize: number;
  totalCount: number;
  totalPages: number;
}): z.input<typeof Pagination> => ({
  totalCount: result.totalCount,
  currentPage: result.page,
  pageSize: result.pageSize,
  totalPages: result.totalPages,
});
