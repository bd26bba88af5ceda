/**
 * The values of columns that hold a fixed set. The zod schemas of the domain, and with them REST, tRPC and
 * openapi.json, are made from these lists.
 */

export const runStatuses = [
  'submitted',
  'running',
  'succeeded',
  'failed',
  'stopped',
  'canceled',
  'input-required',
  'partial-succeeded',
  'review-requested',
  'reviewed',
  'unknown',
] as const;
/** The status of a conversation. */
export type RunStatus = (typeof runStatuses)[number];

/** What people think of a message. */
export const feedbackVerdicts = ['up', 'down'] as const;
export type FeedbackVerdict = (typeof feedbackVerdicts)[number];

export const reviewVerdicts = ['good', 'mixed', 'bad'] as const;
/** What a reviewer thinks of a conversation. */
export type ReviewVerdict = (typeof reviewVerdicts)[number];

export const documentTypes = [
  'UnstructuredFile',
  'StructuredFile',
  'UnstructuredWebpage',
  'StructuredWebpage',
] as const;
export type DocumentType = (typeof documentTypes)[number];

export const documentStatuses = ['created', 'processing', 'ready', 'failed'] as const;
export type DocumentStatus = (typeof documentStatuses)[number];

export const documentStages = ['fetching', 'parsing', 'extracting', 'splitting', 'storing'] as const;
/** What a worker does with a document. */
export type DocumentStage = (typeof documentStages)[number];

export { type WarningCode, warningCodes } from '@lectern/file-to-markdown/warning-codes';

export const jobLanes = ['suspect', 'tiny', 'small', 'large', 'extraction'] as const;
/** Which slots of a worker a job waits for. */
export type JobLane = (typeof jobLanes)[number];

export const sourceKinds = ['none', 'content', 'file', 'storage', 'url'] as const;
/** Where the text of a document comes from. */
export type SourceKind = (typeof sourceKinds)[number];

export const extractionModes = ['own', 'engine', 'auto'] as const;
/**
 * Who reads a document:
 * - `own`: Lectern's parsers alone
 * - `engine`: the extraction engine, where it reads files of this type
 * - `auto`: as the configuration says
 */
export type ExtractionMode = (typeof extractionModes)[number];

export const storageTypes = ['s3', 'gcs'] as const;
export type StorageType = (typeof storageTypes)[number];

export const chunkStatuses = ['active', 'inactive'] as const;
export type ChunkStatus = (typeof chunkStatuses)[number];

export const auditSubjectTypes = [
  'conversation',
  'label',
  'document',
  'chunk',
  'file',
  'apiKey',
  'webhook',
  'evaluation',
  'synonyms',
  'searchIndex',
  'retentionRule',
  'user',
  'member',
] as const;
/** What a write can be about. */
export type AuditSubjectType = (typeof auditSubjectTypes)[number];

export const memberRoles = ['viewer', 'editor', 'reviewer', 'admin', 'operator'] as const;
/** What a member may do: `src/auth/roles.ts` has the permissions of each. */
export type MemberRole = (typeof memberRoles)[number];

/** `filling` until all chunks have its vectors, `live` while searches use it, `retired` until they are deleted. */
export const embeddingModelStatuses = ['filling', 'live', 'retired'] as const;
export type EmbeddingModelStatus = (typeof embeddingModelStatuses)[number];

/** `copying` all chunks, then `finishing`: repeating what changed meanwhile, and swapping the indexes. */
export const rebuildPhases = ['copying', 'finishing'] as const;
export type RebuildPhase = (typeof rebuildPhases)[number];
