import { z } from 'zod';
import { text } from '../shared/fields.schema.js';
import { tenantUnitRef } from '../shared/tenant-scope.js';
import { chunking } from './chunking.schema.js';
import {
  descriptionFields,
  documentWarning,
  extractionMode,
  fileReference,
  requireBucketAndPath,
  sourceFields,
} from './documents.schema.js';

const MAX_PREVIEWED = 50;

export const chunkPreview = z
  .object({
    scope: tenantUnitRef,
    documentName: descriptionFields.documentName,
    ...sourceFields,
    /** An uploaded file, which can still be used for a document. */
    file: fileReference.optional(),
    chunking: chunking.optional(),
    extraction: extractionMode.optional(),
    /** Most chunks in the answer. */
    limit: z.int().min(1).max(MAX_PREVIEWED).default(20),
  })
  .superRefine(requireBucketAndPath)
  .superRefine((given, context) => {
    const { documentContent, file, storagePath, url } = given;
    if ([documentContent, file, storagePath, url].filter(Boolean).length === 1) return;
    const message = 'give exactly one of documentContent, file, url, and storageBucket with storagePath';
    context.addIssue({ code: 'custom', message, path: [] });
  });
export type ChunkPreview = z.output<typeof chunkPreview>;

export const previewedChunks = z.object({
  /** What the source was taken for; null where it was not read to its end. */
  subType: text(255).nullable(),
  /** Of the whole source, unless it was not read to its end. */
  chunkCount: z.int(),
  /** Whether there are more chunks than are counted. */
  truncated: z.boolean(),
  /** What the chunks lack of the source; null where it was not read to its end. */
  warnings: z.array(documentWarning).nullable(),
  chunks: z.array(
    z.object({
      ordinal: z.int(),
      content: z.string(),
      /** Title, headings and table head, which are searched, too. */
      contentComplement: z.string(),
      keywords: z.record(z.string(), z.number()),
      page: z.int().nullable(),
      /** The extraction engine that read a part of it; absent where Lectern did. */
      extractedBy: text(255).optional(),
    }),
  ),
});
/** The same without text of a source that the caller neither sent nor may read. */
export const answeredPreview = previewedChunks.extend({
  chunks: z.array(
    previewedChunks.shape.chunks.element.partial({ content: true, contentComplement: true, keywords: true }),
  ),
});
export type PreviewedChunks = z.output<typeof previewedChunks>;
