import { z } from 'zod';
import { boundedArray, boundedJsonRecord, text } from '../shared/fields.schema.js';
import { tenantUnitRef } from '../shared/tenant-scope.js';
import { chunking } from './chunking.schema.js';
import {
  type Document,
  documentDescription,
  documentRef,
  documentSelection,
  documentType,
  MAX_URL_LENGTH,
  newDatasetIds,
  requireBucketAndPath,
  url,
} from './documents.schema.js';

/** How many documents one call creates, from a list of URLs or a sitemap, and from descriptions. */
export const MAX_URLS = 10_000;
const MAX_DESCRIBED = 1_000;
const MAX_DATASETS = 20;

/** Fetches and processes it even if its server says that it is what was processed last. */
const unconditional = z.boolean().default(false);

export const reprocessing = documentRef.extend({ unconditional });
export type Reprocessing = z.output<typeof reprocessing>;

export const reprocessingOfMany = documentSelection.extend({ unconditional });
export type ReprocessingOfMany = z.output<typeof reprocessingOfMany>;

const describedDocument = documentDescription
  .partial({ documentType: true })
  .superRefine(requireBucketAndPath);

export const documentImport = z
  .object({
    scope: tenantUnitRef,
    /** These four are for each document that does not say otherwise. */
    documentType: documentType.default('UnstructuredWebpage'),
    datasetIds: newDatasetIds(MAX_DATASETS).default([]),
    chunking: chunking.optional(),
    customProperties: boundedJsonRecord().optional(),
    /** Pages to fetch. What is no http or https URL is skipped, and said to be. */
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
  /** Twice in the list, registered already in the same tenant unit, or no http or https URL. */
  skipped: z.array(z.object({ url: z.string(), reason: z.enum(['duplicate', 'exists', 'invalid']) })),
  /** Whether the sitemap lists more than one call takes. */
  truncated: z.boolean(),
});
export type ImportResult = z.output<typeof importResult>;

/** Where a document's processing is. One that is not there, or not any more, is `deleted`. */
export type DocumentProgress = { documentId: string } & (
  | Pick<
      Document,
      'status' | 'stage' | 'processingProgress' | 'newChunks' | 'chunkCount' | 'attempts' | 'error'
    >
  | { status: 'deleted' }
);
