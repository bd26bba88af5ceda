import { z } from 'zod';
import { type Api, chunkStatus } from '../routers/index.js';
import type { AllFields } from './exhaustive-mapping.js';
import { answered } from './shared.schema.js';

type DomainChunk = Awaited<ReturnType<Api['chunks']['list']>>['items'][number];
type DomainHit = Awaited<ReturnType<Api['chunks']['search']>>[number];

const ChunkMetadata = z
  .object({
    file_directory: z.string(),
    filename: z.string(),
    filetype: z.string(),
    languages: z.array(z.string()),
    last_modified: z.string(),
    page_number: z.int(),
  })
  .meta({ id: 'DocumentChunkMetadata' });

export const ChunkStatus = chunkStatus.meta({ id: 'DocumentChunkStatus' });

export const Chunk = z
  .object({
    id: z.string(),
    documentId: z.string(),
    tenantId: z.string(),
    tenantUnitId: z.string(),
    content: z.string(),
    contentComplement: z.string(),
    keywords: z.record(z.string(), z.number()).describe('Keyword to weight'),
    status: answered(ChunkStatus),
    createdTime: z.iso.datetime(),
    updatedTime: z.iso.datetime(),
    metadata: ChunkMetadata,
  })
  .meta({ id: 'DocumentChunk' });

export const SearchHit = z
  .object({
    id: z.string(),
    document_id: z.string(),
    document_name: z.string(),
    document_type: z.string(),
    document_sub_type: z.string(),
    content: z.string(),
    content_complement: z.string(),
    keywords: z.array(z.string()),
    score: z.number().describe('0 to 1, higher is better'),
    tenant_id: z.string(),
    tenant_unit_id: z.string(),
    created_time: z.iso.datetime(),
    updated_time: z.iso.datetime(),
    metadata: z.object({ dataset_ids: z.array(z.string()) }).optional(),
  })
  .meta({ id: 'DocumentChunkSearchHit' });

export const toChunk = (row: DomainChunk): AllFields<z.input<typeof Chunk>> => ({
  id: row.id,
  documentId: row.documentId,
  tenantId: row.tenantId,
  tenantUnitId: row.tenantUnitId,
  content: row.content,
  contentComplement: row.contentComplement,
  keywords: row.keywords,
  status: row.status,
  createdTime: row.createdTime.toISOString(),
  updatedTime: row.updatedTime.toISOString(),
  metadata: row.metadata,
});

export const toSearchHit = (hit: DomainHit): AllFields<z.input<typeof SearchHit>> => ({
  id: hit.id,
  document_id: hit.documentId,
  document_name: hit.documentName,
  document_type: hit.documentType,
  document_sub_type: hit.documentSubType,
  content: hit.content,
  content_complement: hit.contentComplement,
  keywords: hit.keywords,
  score: hit.score,
  tenant_id: hit.tenantId,
  tenant_unit_id: hit.tenantUnitId,
  created_time: hit.createdTime.toISOString(),
  updated_time: hit.updatedTime.toISOString(),
  metadata: { dataset_ids: hit.datasetIds },
});
