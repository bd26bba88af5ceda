import { z } from 'zod';
import { documentType } from './documents.schema.js';
import { filledText, filterText, identifier, listOf } from './fields.schema.js';
import { MAX_BATCH, paging } from './paging.js';
import { scope, tenantScope } from './scope.js';
import { expectedVersion } from './versions.js';

export const chunkStatus = z.enum(['active', 'inactive']);
export const searchLanguage = z.enum(['english', 'chinese']);

/** Far above what splitting makes; more would not fit the search index. */
const MAX_CHUNK_LENGTH = 32_768;
const MAX_KEYWORDS = 100;
const MAX_QUERY_LENGTH = 10_000;

export const chunkMetadata = z.object({
  file_directory: z.string(),
  filename: z.string(),
  filetype: z.string(),
  languages: z.array(z.string()),
  last_modified: z.string(),
  page_number: z.int(),
});

export const chunk = z.object({
  id: z.string(),
  documentId: z.string(),
  tenantId: z.string(),
  tenantUnitId: z.string(),
  content: z.string(),
  contentComplement: z.string(),
  /** Keyword to weight. */
  keywords: z.record(z.string(), z.number()),
  status: chunkStatus,
  metadata: chunkMetadata,
  createdTime: z.date(),
  updatedTime: z.date(),
  /** Grows with every change. */
  version: z.int(),
});
export type Chunk = z.output<typeof chunk>;

export const searchHit = chunk.omit({ status: true, metadata: true, version: true }).extend({
  keywords: z.array(z.string()),
  /** 0 to 1, falling through the hits. */
  score: z.number(),
  documentName: z.string(),
  documentType,
  documentSubType: z.string(),
  datasetIds: z.array(z.string()),
});
export type SearchHit = z.output<typeof searchHit>;

export const chunkFilter = z.object({ scope: tenantScope, documentId: identifier(), ...paging(10) });
export type ChunkFilter = z.output<typeof chunkFilter>;

export const chunkRef = z.object({ scope: tenantScope, documentId: identifier(), chunkId: identifier() });

export const chunkContent = filledText(MAX_CHUNK_LENGTH);
export const chunkKeywords = listOf(filledText(255), MAX_KEYWORDS);

export const chunkChanges = chunkRef.extend({
  content: chunkContent.optional(),
  keywords: chunkKeywords.optional(),
  expectedVersion,
});
export type ChunkChanges = z.output<typeof chunkChanges>;

export const chunkSwitch = chunkRef.extend({ status: chunkStatus, expectedVersion });
export type ChunkSwitch = z.output<typeof chunkSwitch>;

export const chunkIds = listOf(filterText(), MAX_BATCH);

/** Several chunks of one document. The tenant may be left out: chunk ids are unique everywhere. */
export const chunkSelection = z.object({
  scope: scope.default({}),
  documentId: identifier(),
  chunkIds,
});
export type ChunkSelection = z.output<typeof chunkSelection>;

export const chunkSelectionSwitch = chunkSelection.extend({ status: chunkStatus });
export type ChunkSelectionSwitch = z.output<typeof chunkSelectionSwitch>;

export const searchQuery = filledText(MAX_QUERY_LENGTH);
export const topK = z.int().min(1).max(MAX_BATCH).default(5);

export const chunkSearch = z.object({
  scope: tenantScope.required({ tenantUnitId: true }),
  datasetIds: listOf(filterText()),
  query: searchQuery,
  topK,
  language: searchLanguage.default('english'),
});
export type ChunkSearch = z.output<typeof chunkSearch>;
