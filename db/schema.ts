/**
 * The tables, as Kysely sees them: camelCase here, snake_case in PostgreSQL.
 *
 * Every tenant-owned table carries `tenantId` and `tenantUnitId`. The columns are explained where they are
 * created, in `migrations/`.
 */
import type { ColumnType, Generated, JSONColumnType, Kysely, Transaction } from 'kysely';
import type {
  AuditSubjectType,
  ChunkStatus,
  DocumentStage,
  DocumentStatus,
  DocumentType,
  EmbeddingModelStatus,
  ExtractionMode,
  JobLane,
  MemberRole,
  RebuildPhase,
  ReviewVerdict,
  RunStatus,
  SourceKind,
  StorageType,
  WarningCode,
} from './enums.js';

export type { ExtractionMode } from './enums.js';

type Json = Record<string, unknown>;
/** A jsonb object: read as an object, written as JSON text. */
type JsonObject<T extends object = Json> = JSONColumnType<T>;
type NullableJson<T extends object = Json> = ColumnType<T | null, string | null | undefined, string | null>;
/** A jsonb object with a default in the table. */
type DefaultedJson<T extends object = Json> = ColumnType<T, string | undefined, string>;

interface TenantOwned {
  tenantId: string;
  tenantUnitId: string;
}

export interface ConversationTable extends TenantOwned {
  id: string;
  topic: string | null;
  agentId: string;
  userId: string;
  agentMode: string;
  agentType: string | null;
  extendProperties: DefaultedJson;
  invokeFrom: string | null;
  inputs: NullableJson;
  status: RunStatus | null;
  assignmentId: string | null;
  createdTime: Date;
  updatedTime: Date;
  createdBy: string | null;
  updatedBy: string | null;
  createdByRole: string | null;
  updatedByRole: string | null;
  createdByName: string | null;
  updatedByName: string | null;
  version: Generated<number>;
  /** The greatest one of its messages. */
  messageSequence: Generated<number>;
  /** Kept while a webhook subscribes to `conversation.idle`. */
  lastMessageTime: ColumnType<Date | null, undefined, Date>;
  /** When to check whether it is idle. Null: it has been idle since its last message, or nobody wants to know. */
  idleCheckTime: ColumnType<Date | null, undefined, Date>;
  /** Ids of its labels. */
  labels: Generated<string[]>;
  /** Null: under no legal hold. */
  legalHoldTime: ColumnType<Date | null, undefined, Date | null>;
  legalHoldBy: ColumnType<string | null, undefined, string | null>;
}

/** The labels of a tenant, which all of its units have. */
export interface LabelTable {
  tenantId: string;
  id: string;
  name: string;
  color: string;
  createdTime: Date;
  createdBy: string | null;
  updatedTime: Date;
  updatedBy: string | null;
  /** Deleted, and still to be removed from conversations. */
  deletedTime: ColumnType<Date | null, undefined, Date>;
}

/** Conversations without a message for so many days are deleted. */
export interface RetentionRuleTable {
  tenantId: string;
  id: string;
  /** Null: of all agents. */
  agentId: string | null;
  /** Null: any. */
  statuses: RunStatus[] | null;
  /** Ids of labels: a conversation with any of them is kept. */
  exemptLabels: string[];
  keepDays: number;
  createdTime: Date;
  createdBy: string | null;
  updatedTime: Date;
  updatedBy: string | null;
}

/** A user who has signed in by a token. */
export interface MemberTable {
  tenantId: string;
  id: string;
  /** With the subject, whom it is: an issuer gives each user one of its own. */
  issuer: string;
  subject: string;
  /** What the audit log and authors name. */
  userId: string;
  name: string | null;
  email: string | null;
  /** Null: only what the claims of its tokens permit. */
  role: MemberRole | null;
  /** Null: all units of the tenant. */
  tenantUnitIds: string[] | null;
  /** Null: all datasets. */
  datasetIds: string[] | null;
  createdTime: Date;
  /** To the hour. */
  lastSeenTime: Date;
  /** When its role was changed last, and by whom. */
  updatedTime: Date | null;
  updatedBy: string | null;
}

export interface UserErasureTable {
  tenantId: string;
  id: string;
  hashSecret: string;
  /** Of the user id, with that secret. */
  userHash: string;
  /** Null once it is done; also after a restore, until the user is found by the hash. */
  userId: string | null;
  /** What comes next. */
  place: string;
  /** The key of the last row that is done there. */
  lastKey: string[] | null;
  erased: DefaultedJson<Record<string, number>>;
  /** Rows that legal holds keep. */
  held: Generated<number>;
  /** Of the record in the storage, from which a restored database learns of the erasure. */
  fileKey: string | null;
  createdTime: Date;
  createdBy: string | null;
  finishedTime: ColumnType<Date | null, Date | undefined, Date | null>;
}

/** A copy of the labels and the time of conversations, in the order of lists. */
export interface ConversationLabelTable {
  tenantId: string;
  conversationId: string;
  labelId: string;
  createdTime: Date;
}

export interface ConversationStatusChangeTable extends TenantOwned {
  id: Generated<number>;
  conversationId: string;
  fromStatus: RunStatus | null;
  toStatus: RunStatus | null;
  changedTime: Date;
  changedBy: string | null;
}

export interface ConversationReviewTable extends TenantOwned {
  id: string;
  conversationId: string;
  verdict: ReviewVerdict;
  note: string | null;
  reviewedTime: Date;
  reviewedBy: string | null;
}

/**
 * Written by `messages.append`, or by an agent runtime beside the database: the table is a contract with it.
 * `conversationId` must exist, tenant and unit must be the conversation's, and `requestedTime` orders the list: its
 * microseconds also the messages of a request that have the same time. Deleting a conversation deletes its messages.
 * `metadata` above 1 MiB is returned as null, and a page of messages above 10 MiB is refused.
 */
export interface MessageTable extends TenantOwned {
  id: string;
  conversationId: string;
  agentId: string;
  userId: string;
  runId: string;
  messageFrom: string;
  content: string;
  requestedTime: Date;
  inputTokens: ColumnType<number | null, number | null | undefined>;
  answerTokens: ColumnType<number | null, number | null | undefined>;
  totalTokens: ColumnType<number | null, number | null | undefined>;
  /** `up` or `down` of `messages.setFeedback`, or any text of a runtime, which has no note, author and time. */
  feedback: string | null;
  feedbackNote: ColumnType<string | null, undefined, string | null>;
  feedbackBy: ColumnType<string | null, undefined, string | null>;
  feedbackTime: ColumnType<Date | null, undefined, Date | null>;
  metadata: NullableJson;
  type: string | null;
  userType: string | null;
  status: string | null;
  eventTrace: string | null;
  createdBy: string | null;
  updatedBy: string | null;
  createdByRole: string | null;
  updatedByRole: string | null;
  /** The place in the conversation, in the order of commits. Null: inserted beside the service, and not numbered yet. */
  sequence: ColumnType<number | null, number | undefined, number>;
  /** Of messages that are written in parts: whether more may come, how many came, and when the last one did. */
  isOpen: ColumnType<boolean | null, undefined, boolean | null>;
  writtenParts: ColumnType<number | null, undefined, number>;
  writtenTime: ColumnType<Date | null, undefined, Date>;
}

export interface DocumentFailure {
  code: string;
  /** One that is cancelled before it is begun fails while it waits. */
  stage: DocumentStage | 'waiting';
  message: string;
  retryable: boolean;
}

/** What a document's chunks lack of its source. */
export interface DocumentWarning {
  code: WarningCode;
  /** The file within the source that this is about, such as an attachment; null: the source itself. */
  file: string | null;
  /** Ascending, without those that are too many to be kept; empty where it is not about pages. */
  pages: { from: number; to: number }[];
  /** Of all pages. */
  pageCount: number;
  /** What was lost, by name; without those that are too many to be kept. */
  names: string[];
  /** Of all that have a name. */
  nameCount: number;
}

/** How a document is split, where it has wishes of its own. */
export interface ChunkingOptions {
  /** Most characters of a chunk. */
  size?: number | undefined;
  /** Most characters of whole sentences repeated at the start of the next chunk. */
  overlap?: number | undefined;
  /** The first cuts wherever it stands; the others, in their order, only what is still too long. */
  separators?: string[] | undefined;
  /** Whether comments in documents, slides and sheets are part of the chunks. */
  comments?: boolean | undefined;
}

export interface DocumentTable extends TenantOwned {
  id: string;
  externalId: string | null;
  documentType: DocumentType;
  documentSubType: string | null;
  sniffedSubType: string | null;
  documentName: string | null;
  storageType: StorageType | null;
  storageBucket: string | null;
  storagePath: string | null;
  url: string | null;
  title: string | null;
  category: string | null;
  status: ColumnType<DocumentStatus, DocumentStatus | undefined, DocumentStatus>;
  processingProgress: ColumnType<number, number | undefined, number>;
  customProperties: NullableJson;
  enabled: ColumnType<boolean, boolean | undefined, boolean>;
  source: SourceKind;
  revision: ColumnType<number, number | undefined, number>;
  stage: DocumentStage | null;
  attempts: ColumnType<number, number | undefined, number>;
  error: NullableJson<DocumentFailure>;
  warnings: ColumnType<DocumentWarning[], string | undefined, string>;
  chunkCount: ColumnType<number, number | undefined, number>;
  /** When its chunks were made; null where an earlier version made them. */
  processedTime: ColumnType<Date | null, never, Date>;
  chunking: NullableJson<ChunkingOptions>;
  extraction: ColumnType<ExtractionMode, ExtractionMode | undefined, ExtractionMode>;
  newChunks: ColumnType<number, number | undefined, number>;
  datasetsRevision: ColumnType<number, number | undefined, number>;
  /** Sorted by their bytes, and each once; copied to `document_datasets`. */
  datasetIds: ColumnType<string[], string[] | undefined, string[]>;
  externalIdSpace: Generated<string>;
  version: Generated<number>;
  createdTime: Date;
  updatedTime: Date;
  createdBy: string | null;
  updatedBy: string | null;
}

export interface DocumentSourceTable extends TenantOwned {
  documentId: string;
  content: string | null;
  contentHash: string | null;
  fileKey: string | null;
  fileName: string | null;
  mediaType: string | null;
  sizeBytes: number | null;
  lastModified: Date | null;
  etag: string | null;
  httpLastModified: string | null;
}

export interface DocumentDatasetTable extends TenantOwned {
  documentId: string;
  datasetId: string;
  /** The document's; a trigger sets it. */
  createdTime: Generated<Date>;
}

export interface ProcessingJobTable {
  tenantId: string;
  documentId: string;
  lane: JobLane;
  sequence: Generated<number>;
  attempts: Generated<number>;
  outages: Generated<number>;
  deaths: Generated<number>;
  nextAttemptTime: Date | null;
  leaseOwner: string | null;
  leaseExpiresTime: Date | null;
  queuedTime: Generated<Date>;
  /** Of the request that queued it, where that was traced. */
  traceparent: string | null;
}

export interface UploadTable {
  id: string;
  tenantId: string;
  fileKey: string;
  sizeBytes: number;
  sha256: string;
  createdTime: Date;
}

export interface ChunkMetadata {
  file_directory: string;
  filename: string;
  filetype: string;
  languages: string[];
  last_modified: string;
  page_number: number;
  /** From here on: not of chunks that earlier versions made. Where the text begins and ends in all of the source's text. */
  char_start?: number;
  char_end?: number;
  /** The path of its section. */
  headings?: string[];
  /** Where it ends on a later page than it begins. */
  last_page_number?: number;
  sheet?: string;
  /** The extraction engine that read a part of it. */
  extracted_by?: string;
  first_row?: number;
  last_row?: number;
}

export interface ChunkTable extends TenantOwned {
  id: string;
  documentId: string;
  ordinal: number;
  sourceHash: string;
  content: string;
  contentComplement: string;
  keywords: JsonObject<Record<string, number>>;
  keywordsEdited: ColumnType<boolean, boolean | undefined, boolean>;
  metadata: JsonObject<ChunkMetadata>;
  status: ColumnType<ChunkStatus, ChunkStatus | undefined, ChunkStatus>;
  edited: ColumnType<boolean, boolean | undefined, boolean>;
  originalContent: ColumnType<string | null, string | null | undefined, string | null>;
  originalKeywords: NullableJson<Record<string, number>>;
  deleted: ColumnType<boolean, boolean | undefined, boolean>;
  revision: ColumnType<number, number | undefined, number>;
  createdTime: Date;
  updatedTime: Date;
}

export interface ChunkDraftTable extends TenantOwned {
  documentId: string;
  run: string;
  ordinal: number;
  id: string;
  sourceHash: string;
  content: string;
  contentComplement: string;
  keywords: JsonObject<Record<string, number>>;
  metadata: JsonObject<ChunkMetadata>;
  terms: string;
  words: ColumnType<string, string | undefined, string>;
  termsLength: number;
  analyzer: number;
}

export interface ChunkTermsTable {
  chunkId: string;
  tenantId: string;
  analyzer: number;
  length: number;
  terms: string;
  words: ColumnType<string, string | undefined, string>;
}

export interface PostingSegmentTable extends TenantOwned {
  id: Generated<number>;
  datasetId: string;
  chunks: number;
  dead: Generated<number>;
  deadSince: Generated<Date | null>;
  length: number;
  buckets: number;
  lengths: Buffer;
  chunkIds: Buffer;
  /** Whether chunks are found by their metadata; null where a former release wrote it. */
  hasMetadata: ColumnType<boolean | null, boolean | null | undefined, boolean>;
  /** The same of messages by what is indexed of them; null also of chunks. */
  hasMessageMetadata: ColumnType<boolean | null, boolean | null | undefined, boolean>;
}

export interface PostingListTable {
  tenantId: string;
  segmentId: number;
  key: number;
  chunks: number | null;
  postings: Buffer;
}

export interface PostingWordTable {
  tenantId: string;
  segmentId: number;
  firstWord: string;
  words: string;
  counts: Buffer;
}

export interface DocumentNameTable {
  tenantId: string;
  tenantUnitId: string;
  datasetId: string;
  nameEnd: string;
  documentId: string;
}

export interface PostingSegmentDocumentTable {
  tenantId: string;
  documentId: string;
  segmentId: number;
  chunks: number;
  /** Of these in the segment, four bytes each; null where a former release wrote it. */
  ordinals: Buffer | null;
}

export interface PostingSegmentMetadataTable {
  tenantId: string;
  segmentId: number;
  firstEntry: Buffer;
  entries: Buffer;
}

export interface DocumentPropertyTable {
  tenantId: string;
  entry: Buffer;
  documentId: string;
}

export interface PostingChangeTable {
  id: Generated<number>;
  tenantId: string;
  documentId: string;
  chunkIds: string[] | null;
}

/** The terms of a message, or of the topic of a conversation, by which it is found. */
export interface MessageTermsTable {
  tenantId: string;
  /** 16 bytes, by which segments of postings name it. */
  key: string;
  conversationId: string;
  /** Null: the topic. */
  messageId: string | null;
  /** The number of the message when it was read; of a topic -1. */
  sequence: number;
  length: number;
  terms: string;
}

/** What messages of a day come to. */
interface MessageCounts {
  userMessages: number;
  agentMessages: number;
  inputTokens: number;
  answerTokens: number;
  totalTokens: number;
  up: number;
  down: number;
}

/** What conversations of an agent come to on a day, in UTC. It stays when they are deleted. */
export interface ConversationCountsTable extends TenantOwned, MessageCounts {
  /** As `2026-11-30`. */
  day: ColumnType<Date, string, never>;
  agentId: string;
  /** Those that were created on the day. */
  conversations: number;
  /** Of these, how many got their first answer in a time of each bucket, and how long they took together. */
  firstAnswers: number[];
  firstAnswerMs: number;
}

/** How much of it is of one conversation. */
export interface ConversationDayTable extends MessageCounts {
  tenantId: string;
  conversationId: string;
  day: ColumnType<Date, string, never>;
  /** Messages up to this number are counted. */
  sequence: number;
  /** On the day of its creation, once there is an answer. */
  firstAnswerMs: number | null;
}

/** A conversation with messages, or a topic, that are not indexed and counted yet, or that is deleted. */
export interface MessageChangeTable {
  id: Generated<number>;
  tenantId: string;
  conversationId: string;
  /** Of a message that is deleted while its conversation stays. */
  goneKey: ColumnType<string | null, string | undefined, never>;
  /** Whether messages that are not indexed may have lower numbers than some that are. */
  hasEarlier: Generated<boolean>;
}

/** An index that is built beside the live one. */
export interface IndexRebuild {
  generation: number;
  /** The name under which it is built. */
  uid: string;
  phase: RebuildPhase;
  /** Chunks up to this id are copied. */
  copiedTo: string;
  copied: number;
  startedTime: string;
  /** Of its documents; undefined in rebuilds that a former release began. */
  format?: number;
}

export interface SearchIndexTable {
  onlyRow: Generated<boolean>;
  generation: Generated<number>;
  checkpoint: Generated<number>;
  filling: Generated<boolean>;
  filledTo: string | null;
  rebuild: NullableJson<IndexRebuild>;
  syncedTime: Date | null;
  error: string | null;
  errorTime: Date | null;
  format: Generated<number>;
  propertyNames: Generated<string[]>;
  hashSecret: Generated<string>;
}

export interface LastBackupTable {
  onlyRow: Generated<boolean>;
  time: Date;
}

export interface SearchOutboxTable {
  /** Empty where the chunk is gone. */
  tenantId: string;
  chunkId: string;
  revision: Generated<number>;
  queuedTime: Generated<Date>;
  filling: Generated<boolean>;
  taskUid: number | null;
  error: string | null;
}

/** What cosines of a model mean: their mean for a question and its answer, and for a question and other answers. */
export interface CosineScale {
  related: number;
  unrelated: number;
}

export interface EmbeddingModelTable {
  id: Generated<number>;
  status: EmbeddingModelStatus;
  url: string;
  name: string;
  dimensions: number;
  queryPrefix: string;
  passagePrefix: string;
  scripts: string[];
  isFilled: Generated<boolean>;
  filledTenantId: Generated<string>;
  filledChunkId: Generated<string>;
  statusTime: Generated<Date>;
  createdTime: Generated<Date>;
  requestedDimensions: number | null;
  startedTime: Generated<Date>;
  seenTime: Generated<Date>;
  slowQuestionTime: Generated<Date | null>;
  /** By script; null until it is measured. */
  cosines: NullableJson<Record<string, CosineScale>>;
  center: Generated<number[] | null>;
}

export interface EmbeddingQueueTable {
  tenantId: string;
  chunkId: string;
  revision: Generated<number>;
  retryTime: Generated<Date>;
  attempts: Generated<number>;
  error: string | null;
}

export interface ChunkTextTable {
  tenantId: string;
  chunkId: string;
  hash: Buffer;
}

export interface EmbeddingTable {
  tenantId: string;
  modelId: number;
  hash: Buffer;
  scale: number;
  vector: Buffer;
  isCut: boolean;
  createdTime: Generated<Date>;
}

export interface EmbeddingUsageTable {
  tenantId: string;
  texts: number;
  tokens: number;
}

export interface ExtractedPictureTable {
  tenantId: string;
  documentId: string;
  key: string;
  engine: string;
  mediaType: string;
  pages: ColumnType<string[], string, string>;
  createdTime: Generated<Date>;
}

export interface ExtractionUsageTable {
  tenantId: string;
  pages: number;
}

export interface SearchReplayTable {
  tenantId: string;
  chunkId: string;
  revision: number;
}

export interface ApiKeyTable {
  id: string;
  tenantId: string;
  tenantUnitIds: string[] | null;
  datasetIds: string[] | null;
  scopes: string[];
  name: string;
  secretHash: Buffer;
  createdTime: Date;
  createdBy: string | null;
  expiresTime: Date | null;
  lastUsedTime: Date | null;
  revokedTime: Date | null;
  successorId: string | null;
  madeInOpenMode: Generated<boolean>;
}

export interface SessionTable {
  tenantId: string;
  id: string;
  secretHash: Buffer;
  keyId: string;
  createdTime: Date;
  expiresTime: Date;
}

/** A person who has signed in by a provider, in a browser. */
export interface UserSessionTable {
  tenantId: string;
  id: string;
  secretHash: Buffer;
  issuer: string;
  subject: string;
  userId: string;
  name: string | null;
  email: string | null;
  /** What the claims permit, without the role of the member. */
  permissions: string[];
  tenantUnitIds: string[] | null;
  datasetIds: string[] | null;
  /** The tokens of the provider, for whoever has the secret of the session. */
  sealedSecret: Buffer;
  /** When the provider vouched for the user last. */
  refreshedTime: Date;
  /** Until then, one process asks the provider again. */
  leaseEndTime: Date | null;
  /** It did not answer, and is not asked before. */
  retryTime: Date | null;
  createdTime: Date;
  expiresTime: Date;
}

export interface RateBucketTable {
  bucket: string;
  tokens: number;
  updatedTime: Date;
  fullTime: Date;
}

export interface WebhookSubscriptionTable {
  id: string;
  tenantId: string;
  tenantUnitIds: string[] | null;
  url: string;
  description: string | null;
  eventTypes: string[];
  secret: string;
  formerSecret: string | null;
  formerSecretUntil: Date | null;
  enabled: ColumnType<boolean, boolean | undefined, boolean>;
  failures: ColumnType<number, number | undefined, number>;
  pausedTime: Date | null;
  heldUntil: Date | null;
  createdTime: Date;
  updatedTime: Date;
  createdBy: string | null;
}

export interface WebhookDeliveryTable {
  id: string;
  sequence: Generated<number>;
  tenantId: string;
  subscriptionId: string;
  eventId: string;
  eventType: string;
  subjectId: string;
  payload: string;
  createdTime: Date;
  attempts: ColumnType<number, number | undefined, number>;
  nextAttemptTime: Date | null;
  claim: string | null;
  deliveredTime: Date | null;
  lastStatus: number | null;
  lastError: string | null;
  /** Of the change, where that was traced. */
  traceparent: string | null;
}

export interface AuditEventTable {
  id: Generated<number>;
  tenantId: string;
  tenantUnitId: string | null;
  time: Generated<Date>;
  action: string;
  subjectType: AuditSubjectType;
  subjectId: string;
  keyId: string | null;
  userId: string | null;
  /** Of a token. */
  userIssuer: string | null;
  userName: string | null;
  address: string | null;
  requestId: string | null;
  before: NullableJson;
  after: NullableJson;
  /** Of a chunk: its document. */
  parentId: string | null;
}

/** A chunk that a search should find. */
export interface ExpectedChunk {
  documentId: string;
  chunkId: string;
  /** How well it answers; from 1. */
  grade: number;
}

export interface EvaluationQuestionTable extends TenantOwned {
  id: string;
  collection: string;
  query: string;
  language: string;
  datasetIds: string[];
  expected: JSONColumnType<ExpectedChunk[]>;
  createdTime: Date;
  updatedTime: Date;
  /** The answer that it is from, if it was added from one. That may be gone since. */
  sourceConversationId: ColumnType<string | null, string | undefined, string>;
  sourceMessageId: ColumnType<string | null, string | undefined, string>;
}

export interface SearchSynonymTable extends TenantOwned {
  id: string;
  datasetIds: string[] | null;
  terms: string[];
  replacements: string[] | null;
  createdTime: Date;
  createdBy: string | null;
  updatedTime: Date;
  updatedBy: string | null;
}

export interface EvaluationRunTable extends TenantOwned {
  id: string;
  collection: string;
  askedMode: string | null;
  modes: string[];
  engines: string[];
  datasetIds: string[];
  questions: number;
  expected: number;
  gone: number;
  ndcgAt10: number;
  recallAt5: number;
  durationMs: number;
  createdTime: Date;
  synonyms: Generated<boolean>;
}

export interface IdempotencyKeyTable {
  tenantId: string;
  caller: string;
  key: string;
  fingerprint: Buffer;
  result: Buffer;
  createdTime: Date;
}

export interface ActivityMinuteTable {
  tenantId: string;
  minute: Date;
  process: string;
  documentsReady: number;
  documentsFailed: number;
  chunks: number;
  searches: number;
  searchesFailed: number;
  searchLatencies: number[];
}

export interface TenantUsageTable {
  tenantId: string;
  documents: number;
  chunks: number;
  bytes: number;
}

export interface TenantUsageChangeTable {
  tenantId: string;
  id: Generated<number>;
  documents: Generated<number>;
  chunks: Generated<number>;
  bytes: Generated<number>;
}

/** The lists that have counters. */
export type CountedList = 'conversations' | 'documents';

export interface ListChangeTable extends TenantOwned {
  id: Generated<number>;
  list: CountedList;
  status: string | null;
  agentId: string | null;
  assignmentId: string | null;
  documentType: string | null;
  datasetIds: string[] | null;
  fromTime: Date;
  toTime: Date;
  count: number;
}

export interface ListCounterTable {
  tenantId: string;
  id: Generated<number>;
  list: CountedList;
  filter: string;
  tenantUnitIds: string[] | null;
  statuses: string[] | null;
  agentId: string | null;
  assignmentId: string | null;
  documentTypes: string[] | null;
  datasetIds: string[] | null;
  reachedDatasetIds: string[] | null;
  isBuilt: Generated<boolean>;
  askedTime: Generated<Date>;
}

export interface ListCounterRangeTable {
  tenantId: string;
  counterId: number;
  fromTime: Date;
  count: number;
  splitCount: Generated<number>;
}

export interface Schema {
  conversations: ConversationTable;
  conversationReviews: ConversationReviewTable;
  conversationStatusChanges: ConversationStatusChangeTable;
  conversationCounts: ConversationCountsTable;
  conversationDays: ConversationDayTable;
  labels: LabelTable;
  conversationLabels: ConversationLabelTable;
  messages: MessageTable;
  members: MemberTable;
  retentionRules: RetentionRuleTable;
  userErasures: UserErasureTable;
  documents: DocumentTable;
  documentSources: DocumentSourceTable;
  documentDatasets: DocumentDatasetTable;
  documentNames: DocumentNameTable;
  documentProperties: DocumentPropertyTable;
  processingJobs: ProcessingJobTable;
  uploads: UploadTable;
  chunks: ChunkTable;
  chunkTerms: ChunkTermsTable;
  chunkDrafts: ChunkDraftTable;
  postingSegments: PostingSegmentTable;
  postingLists: PostingListTable;
  postingSegmentDocuments: PostingSegmentDocumentTable;
  postingSegmentMetadata: PostingSegmentMetadataTable;
  postingChanges: PostingChangeTable;
  messageTerms: MessageTermsTable;
  messageChanges: MessageChangeTable;
  postingWords: PostingWordTable;
  searchIndex: SearchIndexTable;
  lastBackup: LastBackupTable;
  searchOutbox: SearchOutboxTable;
  searchReplay: SearchReplayTable;
  embeddingModels: EmbeddingModelTable;
  embeddingQueue: EmbeddingQueueTable;
  chunkTexts: ChunkTextTable;
  embeddings: EmbeddingTable;
  embeddingUsage: EmbeddingUsageTable;
  extractedPictures: ExtractedPictureTable;
  extractionUsage: ExtractionUsageTable;
  apiKeys: ApiKeyTable;
  sessions: SessionTable;
  userSessions: UserSessionTable;
  rateBuckets: RateBucketTable;
  webhookSubscriptions: WebhookSubscriptionTable;
  webhookDeliveries: WebhookDeliveryTable;
  auditEvents: AuditEventTable;
  evaluationQuestions: EvaluationQuestionTable;
  evaluationRuns: EvaluationRunTable;
  searchSynonyms: SearchSynonymTable;
  idempotencyKeys: IdempotencyKeyTable;
  activityMinutes: ActivityMinuteTable;
  tenantUsage: TenantUsageTable;
  tenantUsageChanges: TenantUsageChangeTable;
  listChanges: ListChangeTable;
  listCounters: ListCounterTable;
  listCounterRanges: ListCounterRangeTable;
}

export type Database = Kysely<Schema>;
/** A connection or a transaction on it: what a query needs, whichever it runs in. */
export type Queryable = Kysely<Schema> | Transaction<Schema>;
