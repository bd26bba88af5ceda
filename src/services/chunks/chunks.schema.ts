import { z } from 'zod';
import { chunkStatuses } from '../../../db/enums.js';
import { citation } from '../search/citation.schema.js';
import { expectedVersion } from '../shared/expected-version.js';
import {
  boundedArray,
  filterValue,
  identifier,
  nonEmptyText,
  nullableText,
  storedValue,
} from '../shared/fields.schema.js';
import { MAX_BATCH, pageParameters } from '../shared/pagination.js';
import { requiredTenantScope, tenantScope } from '../shared/tenant-scope.js';
import { textSpan } from '../shared/text-span.schema.js';

export const chunkStatus = z.enum(chunkStatuses);

/** Far above what the splitter produces; bounded by the search index. */
export const MAX_CHUNK_LENGTH = 32_768;
export const MAX_KEYWORDS = 100;
const MAX_FILTER_LENGTH = 200;

export const chunkMetadata = z.object({
  file_directory: z.string(),
  filename: z.string(),
  filetype: z.string(),
  languages: z.array(z.string()),
  last_modified: z.string(),
  page_number: z.int(),
  /** The extraction engine that read a part of it; absent where Lectern did. */
  extracted_by: z.string().optional(),
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
  status: storedValue(chunkStatuses),
  metadata: chunkMetadata,
  createdTime: z.date(),
  updatedTime: z.date(),
  /** Grows with every change. */
  version: z.int(),
});

/** A chunk among those of its document. */
export const listedChunk = chunk.extend({
  /** Its place among the chunks of the document, from 0; those that were deleted leave gaps. */
  ordinal: z.int(),
  /** Whether text or keywords are no longer those that were split off. */
  edited: z.boolean(),
  /** The text as it was split off. Null unless edited, and where the first edit was before it was kept. */
  originalContent: nullableText,
  /** Where the text was in the source of the document, as in the citation of a hit. */
  span: citation.shape.span,
});
export type ListedChunk = z.output<typeof listedChunk>;

export const chunkFilter = z.object({
  scope: requiredTenantScope,
  documentId: identifier(),
  ...pageParameters(10),
  /** Any of these. */
  statuses: boundedArray(chunkStatus, chunkStatuses.length).optional(),
  /** Text that the content has in it, in upper or lower case. */
  contains: nonEmptyText(MAX_FILTER_LENGTH).optional(),
  edited: z.boolean().optional(),
  /** Only chunks with text between these characters of the document's source. */
  span: textSpan.optional(),
  /** Asks for the page that this chunk is on, if it is among those that match, in place of `page`. */
  around: identifier().optional(),
});
export type ChunkFilter = z.output<typeof chunkFilter>;

export const chunkRef = z.object({
  scope: requiredTenantScope,
  documentId: identifier(),
  chunkId: identifier(),
});

export const chunkContent = nonEmptyText(MAX_CHUNK_LENGTH);
export const chunkKeywords = boundedArray(nonEmptyText(255), MAX_KEYWORDS);

export const chunkChanges = chunkRef.extend({
  content: chunkContent.optional(),
  keywords: chunkKeywords.optional(),
  expectedVersion,
});
export type ChunkChanges = z.output<typeof chunkChanges>;

export const chunkRestoration = chunkRef.extend({ expectedVersion });
export type ChunkRestoration = z.output<typeof chunkRestoration>;

export const chunkStatusChange = chunkRef.extend({ status: chunkStatus, expectedVersion });
export type ChunkStatusChange = z.output<typeof chunkStatusChange>;

export const chunkIds = boundedArray(filterValue(), MAX_BATCH);

/** Chunks of one document. The tenant is optional: chunk ids are globally unique. */
export const chunkSelection = z.object({
  scope: tenantScope.default({}),
  documentId: identifier(),
  chunkIds,
});
export type ChunkSelection = z.output<typeof chunkSelection>;

export const chunkSelectionStatusChange = chunkSelection.extend({ status: chunkStatus });
export type ChunkSelectionStatusChange = z.output<typeof chunkSelectionStatusChange>;
