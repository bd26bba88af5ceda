import { z } from 'zod';
import { boundedArray, boundedJsonRecord, text } from '../shared/fields.schema.js';
import { tenantUnitRef } from '../shared/tenant-scope.js';
import { chunking } from './chunking.schema.js';
import {
  document,
  documentDescription,
  documentRef,
  documentSelection,
  documentType,
  extractionMode,
  MAX_URL_LENGTH,
  newDatasetIds,
  requireBucketAndPath,
  url,
} from './documents.schema.js';

/** Limits of one call: URLs, and document descriptions. */
export const MAX_URLS = 10_000;
export const MAX_DESCRIBED = 1_000;
const MAX_DATASETS = 20;

/** Fetches and processes the document even if its server reports no change. */
const unconditional = z.boolean().default(false);

/** Who reads it from now on; default: as before. */
const extraction = extractionMode.optional();

export const reprocessing = documentRef.extend({ unconditional, extraction });
export type Reprocessing = z.output<typeof reprocessing>;

export const reprocessingOfMany = documentSelection.extend({ unconditional, extraction });
export type ReprocessingOfMany = z.output<typeof reprocessingOfMany>;

export const cancellationOfMany = z.object({
  cancelled: z.int(),
  /** Those that were not being processed, so that there was nothing to cancel. */
  notUnderWay: z.array(z.string()),
});
export type CancellationOfMany = z.output<typeof cancellationOfMany>;

const describedDocument = documentDescription
  .partial({ documentType: true })
  .superRefine(requireBucketAndPath);

export const documentImport = z
  .object({
    scope: tenantUnitRef,
    /** Defaults of the documents in this call. */
    documentType: documentType.default('UnstructuredWebpage'),
    datasetIds: newDatasetIds(MAX_DATASETS).default([]),
    chunking: chunking.optional(),
    extraction: extractionMode.optional(),
    customProperties: boundedJsonRecord().optional(),
    /** Pages to fetch. Invalid URLs are skipped and reported. */
    urls: boundedArray(text(MAX_URL_LENGTH), MAX_URLS).optional(),
    /** Where a list of pages to fetch is: a sitemap, an index of sitemaps, a feed or plain text. */
    sitemap: url.optional(),
    documents: boundedArray(describedDocument, MAX_DESCRIBED).optional(),
  })
  .superRefine((given, context) => {
    const origins = [given.urls, given.sitemap, given.documents].filter((one) => one !== undefined);
    if (origins.length === 1) return;
    context.addIssue({
      code: 'custom',
      message: 'give exactly one of urls, sitemap and documents',
      path: [],
    });
  });
export type DocumentImport = z.output<typeof documentImport>;

export const importResult = z.object({
  created: z.array(z.object({ id: z.string(), url: z.string().optional() })),
  /** Duplicate in the list, already existing in the tenant unit, or no http(s) URL. */
  skipped: z.array(z.object({ url: z.string(), reason: z.enum(['duplicate', 'exists', 'invalid']) })),
  /** Whether the sitemap has more URLs than one call accepts. */
  truncated: z.boolean(),
});
export type ImportResult = z.output<typeof importResult>;

export const documentProgress = document.pick({
  status: true,
  stage: true,
  processingProgress: true,
  newChunks: true,
  chunkCount: true,
  attempts: true,
  error: true,
  warnings: true,
});

/** Processing status of a document; missing ones are `deleted`. */
export type DocumentProgress = { documentId: string } & (
  | z.output<typeof documentProgress>
  | { status: 'deleted' }
);
