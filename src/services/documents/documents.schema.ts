import { z } from 'zod';
import {
  documentStages,
  documentStatuses,
  documentTypes,
  extractionModes,
  sourceKinds,
  storageTypes,
  warningCodes,
} from '../../../db/enums.js';
import { isBucketName, isObjectPath } from '../../storage/object-address.js';
import { expectedVersion } from '../shared/expected-version.js';
import {
  boundedArray,
  boundedJsonRecord,
  filterValue,
  identifier,
  jsonRecord,
  nonEmptyText,
  nullableText,
  storedValue,
  text,
} from '../shared/fields.schema.js';
import { MAX_BATCH, pageParameters } from '../shared/pagination.js';
import { requiredTenantScope, tenantUnitRef } from '../shared/tenant-scope.js';
import { chunking, storedChunking } from './chunking.schema.js';

export const documentType = z.enum(documentTypes);
export const documentStatus = z.enum(documentStatuses);
export const storageType = z.enum(storageTypes);
/** Who reads the source: Lectern's parsers alone, the extraction engine, or as the server is configured. */
export const extractionMode = z.enum(extractionModes);
export const MAX_URL_LENGTH = 8_192;
const MAX_NAME_PART = 200;
/** Upper bound; MAX_JSON_BYTES usually applies first. */
export const MAX_CONTENT_LENGTH = 100 * 1024 * 1024;

/** An http(s) URL. */
export const url = nonEmptyText(MAX_URL_LENGTH)
  .refine((value) => /^https?:\/\//i.test(value) && URL.canParse(value), 'must be an http or https URL')
  .meta({ format: 'uri', pattern: '^[hH][tT][tT][pP][sS]?://' });

export const documentFailure = z.object({
  code: z.string(),
  stage: storedValue([...documentStages, 'waiting']),
  message: z.string(),
  retryable: z.boolean(),
});

/** Something of the source that the chunks lack, though it could be read. Codes and files in their order. */
export const documentWarning = z.object({
  code: storedValue(warningCodes),
  /** The file within the source that this is about, such as an attachment of a mail; null: the source itself. */
  file: nullableText,
  /** Pages, slides or sheets, ascending; the first 500 ranges. Empty where this is not about pages. */
  pages: z.array(z.object({ from: z.int(), to: z.int() })),
  /** Of all pages. */
  pageCount: z.int(),
  /** What was lost, such as names of attachments; the first 20. */
  names: z.array(z.string()),
  /** Of all that have a name. */
  nameCount: z.int(),
});

export const document = z.object({
  id: z.string(),
  tenantId: z.string(),
  tenantUnitId: z.string(),
  externalId: nullableText,
  documentType: storedValue(documentTypes),
  documentSubType: nullableText,
  documentName: nullableText,
  storageType: storedValue(storageTypes).nullable(),
  storageBucket: nullableText,
  storagePath: nullableText,
  url: nullableText,
  title: nullableText,
  category: nullableText,
  customProperties: jsonRecord().nullable(),
  enabled: z.boolean(),
  datasetIds: z.array(z.string()),
  status: storedValue(documentStatuses),
  /** Per cent; never falls within one attempt, 100 only when ready. */
  processingProgress: z.int(),
  /** Current processing stage. */
  stage: storedValue(documentStages).nullable(),
  attempts: z.int(),
  chunkCount: z.int(),
  /** Chunks created so far by the running processing. */
  newChunks: z.int(),
  /** Chunking options of the document, if any. */
  chunking: storedChunking.nullable(),
  /** Who reads its source: `engine` is Lectern, too, where the server has no extraction engine. */
  extraction: storedValue(extractionModes)
    // Results that an earlier version stored for retries lack it.
    .default('auto'),
  /** Why processing failed, or why the last attempt did. */
  error: documentFailure.nullable(),
  /** What the chunks lack of the source; replaced when they are. */
  warnings: z
    .array(documentWarning)
    // Results that an earlier version stored for retries lack it.
    .default([]),
  createdTime: z.date(),
  updatedTime: z.date(),
  createdBy: nullableText,
  updatedBy: nullableText,
  /** Incremented by every change through the API, not by processing. */
  version: z.int(),
});
export type Document = z.output<typeof document>;

/** A document of a list. */
export const listedDocument = document.extend({
  source: storedValue(sourceKinds),
  /** Of inline text and uploaded files; null where it is not known before the source is read. */
  sizeBytes: z.int().nullable(),
});
export type ListedDocument = z.output<typeof listedDocument>;

export const documentWithContent = document.extend({ documentContent: nullableText });
export type DocumentWithContent = z.output<typeof documentWithContent>;

/** The stored text of a document, for whoever may read documents. */
export const documentTexts = [
  'documentSubType',
  'documentName',
  'storageBucket',
  'storagePath',
  'url',
  'title',
  'category',
  'customProperties',
  'error',
  'warnings',
] as const;

/** What a write answers: without the text that the caller neither sent nor may read. */
export const writtenDocument = document
  .partial({
    documentSubType: true,
    documentName: true,
    storageBucket: true,
    storagePath: true,
    url: true,
    title: true,
    category: true,
    customProperties: true,
    error: true,
  })
  .extend({ warnings: z.array(documentWarning).optional() });
export const writtenDocumentWithContent = writtenDocument.extend({
  documentContent: nullableText.optional(),
});

export const documentRef = z.object({ scope: requiredTenantScope, documentId: identifier() });
export type DocumentRef = z.output<typeof documentRef>;

export const documentRemoval = documentRef.extend({ expectedVersion });
export type DocumentRemoval = z.output<typeof documentRemoval>;

export const documentIds = boundedArray(filterValue(), MAX_BATCH);
export const documentSelection = z.object({ scope: requiredTenantScope, documentIds });
export type DocumentSelection = z.output<typeof documentSelection>;

export const documentFilter = z.object({
  scope: requiredTenantScope,
  ...pageParameters(10),
  /** Any of these; an unknown value matches nothing. */
  documentTypes: boundedArray(filterValue()).optional(),
  /** Any of these; an unknown value matches nothing. */
  statuses: boundedArray(filterValue()).optional(),
  datasetIds: boundedArray(filterValue()).optional(),
  /** A part of the name, the title or the URL, in upper or lower case. */
  nameContains: nonEmptyText(MAX_NAME_PART).optional(),
  /** Only documents with warnings. */
  hasWarnings: z.literal(true).optional(),
  /** Only documents that failed with this code; an unknown one matches nothing. */
  failureCode: filterValue().optional(),
  /** The newest first unless given; by the last change of a caller, or by what people call them. */
  order: z.enum(['recent', 'updated', 'name']).optional(),
});
export type DocumentFilter = z.output<typeof documentFilter>;

/** Reference to a file uploaded by `files.upload`, with its metadata. */
export const fileReference = z.object({
  fileId: identifier(),
  fileName: text(1_024).optional(),
  mediaType: text(255).optional(),
  /** As returned by `files.upload`; identifies the same bytes in a retry. */
  sha256: text(64).optional(),
});

export const descriptionFields = {
  documentSubType: text(255).optional(),
  documentName: text(1_024).optional(),
  title: text(10_000).optional(),
  category: text(255).optional(),
  customProperties: boundedJsonRecord().optional(),
  enabled: z.boolean().optional(),
};

export const sourceFields = {
  documentContent: text(MAX_CONTENT_LENGTH).optional(),
  storageType: storageType.optional(),
  storageBucket: nonEmptyText(1_024)
    .refine(
      isBucketName,
      'must be the name of a bucket: 3 to 222 lower-case letters, digits, hyphens, dots or underscores',
    )
    .optional(),
  storagePath: nonEmptyText(4_096).refine(isObjectPath, 'must have no segment . or ..').optional(),
  url: url.optional(),
};

const documentFields = { ...descriptionFields, ...sourceFields };

/** Bucket and path are required together. */
export function requireBucketAndPath(
  { storageBucket, storagePath }: { storageBucket?: unknown; storagePath?: unknown },
  context: { addIssue(issue: { code: 'custom'; message: string; path: string[] }): void },
): void {
  if ((storageBucket === undefined) === (storagePath === undefined)) return;
  const missing = storageBucket === undefined ? 'storageBucket' : 'storagePath';
  context.addIssue({
    code: 'custom',
    message: 'storageBucket and storagePath are needed together',
    path: [missing],
  });
}

/** Unique and sorted. */
export const newDatasetIds = (maxItems?: number) =>
  boundedArray(identifier(), maxItems).transform((ids) => [...new Set(ids)].sort());

/** A new document without its tenant scope. */
export const documentDescription = z.object({
  id: identifier().optional(),
  documentType,
  ...documentFields,
  chunking: chunking.optional(),
  extraction: extractionMode.optional(),
});

export type DocumentDescription = z.output<typeof documentDescription>;

export const newDocument = documentDescription
  .extend({
    scope: tenantUnitRef,
    datasetIds: newDatasetIds().default([]),
    file: fileReference.optional(),
  })
  .superRefine(requireBucketAndPath);
export type NewDocument = z.output<typeof newDocument>;

export const externalId = identifier(1_024);

/** Null resets to the default. */
const nullableChunking = chunking.nullable().optional();

export const documentUpsert = z.object({
  scope: tenantUnitRef,
  externalId,
  documentName: descriptionFields.documentName,
  customProperties: descriptionFields.customProperties,
  url: sourceFields.url,
  documentContent: sourceFields.documentContent,
  chunking: nullableChunking,
  extraction: extractionMode.optional(),
  datasetIds: newDatasetIds().optional(),
});
export type DocumentUpsert = z.output<typeof documentUpsert>;

export const documentChanges = documentRemoval.extend({
  /** Null for none. */
  documentName: descriptionFields.documentName.nullable(),
  title: descriptionFields.title.nullable(),
  category: descriptionFields.category.nullable(),
  datasetIds: newDatasetIds().optional(),
  url: sourceFields.url,
  customProperties: descriptionFields.customProperties,
  enabled: descriptionFields.enabled,
  documentContent: sourceFields.documentContent,
  chunking: nullableChunking,
  extraction: extractionMode.optional(),
});
export type DocumentChanges = z.output<typeof documentChanges>;

export const documentsEnabledChange = documentSelection.extend({ enabled: z.boolean() });
export type DocumentsEnabledChange = z.output<typeof documentsEnabledChange>;

/** As many as a list of ids may hold. */
export const MAX_DATASETS_OF_DOCUMENT = 1_000;
const MAX_CHANGED_DATASETS = 100;
const changedDatasets = boundedArray(identifier(), MAX_CHANGED_DATASETS).default([]);

/** Datasets to add documents to, and to take them out of. */
export const datasetsChange = documentSelection
  .extend({ add: changedDatasets, remove: changedDatasets })
  .refine(({ add, remove }) => !remove.some((id) => add.includes(id)), {
    message: 'must name no dataset that is added',
    path: ['remove'],
  });
export type DatasetsChange = z.output<typeof datasetsChange>;

export const datasetsChanged = z.object({
  /** In the order of the request. Documents that were so before are not among them. */
  changed: z.array(
    z.object({
      documentId: z.string(),
      /** After the change. */
      version: z.int(),
      /** The datasets before. */
      before: z.array(z.string()),
    }),
  ),
});
export type DatasetsChanged = z.output<typeof datasetsChanged>;

export const documentEnabledChange = documentRemoval.extend({ enabled: z.boolean() });
export type DocumentEnabledChange = z.output<typeof documentEnabledChange>;
