import type { Settings } from 'meilisearch';
import type { RebuildPhase } from '../../../db/enums.js';
import type { ChunkQuery, IndexStatus, SearchEngine } from '../chunk-index.js';
import type { SearchToken } from '../meilisearch/create-token.js';
import type { SettingDifference } from '../meilisearch/diff-settings.js';
import type { Reach } from '../meilisearch/read-filter.js';
import type { Verification, VerifyOptions } from '../meilisearch/verify.js';
import type { Mark } from '../ranking/mark-terms.js';
import type { Explanation } from './explain.js';
import type { QueryExplanation } from './explain-terms.js';

/** `incomplete`: behind this database; backfilled as soon as a server runs. */
export const indexStates = ['complete', 'filling', 'incomplete', 'missing', 'unknown'] as const;
export type IndexCompleteness = (typeof indexStates)[number];

export interface SearchStatus {
  engine: SearchEngine;
  /** Whether this engine answers searches now. */
  served: boolean;
  /** Why it does not. */
  reason: string | null;
  /** Whether PostgreSQL answers in its place then. */
  fallback: boolean;
  /** Chunks that belong into the index: those that a search may return. */
  chunks: number;
  postings: PostingsStatus;
  /** Null where texts were never embedded. */
  embedding: EmbeddingStatus | null;
  /** These are null where PostgreSQL searches. */
  server: ServerStatus | null;
  index: LiveIndexStatus | null;
  changes: OutboxStatus | null;
}

/** The index in PostgreSQL, which both engines take statistics from. */
export interface PostingsStatus {
  segments: number;
  /** Changes that searches read one by one until they are merged into segments. */
  changes: number;
  /** Chunks whose terms are of an older analyzer version: PostgreSQL does not find them as it should. */
  stale: number;
}

/** The vectors of chunk texts. */
export interface EmbeddingStatus {
  /** The one that searches use. */
  model: string;
  url: string;
  dimensions: number;
  /** In which it tells meanings apart, as measured. */
  scripts: string[];
  /** Whether what was there before the model is embedded. */
  filled: boolean;
  /** The model that takes its place when all texts are embedded. */
  next: string | null;
  /** Chunks whose text waits, those that failed included. */
  waiting: number;
  failed: number;
  /** The first of those. */
  errors: { chunkId: string; error: string }[];
  /** Spent so far, by all tenants. */
  texts: number;
  tokens: number;
}

export interface ServerStatus {
  url: string;
  reachable: boolean;
  /** Why it cannot be inspected. */
  error: string | null;
  /** Available with the admin key only. */
  version: string | null;
}

export interface LiveIndexStatus {
  uid: string;
  state: IndexCompleteness;
  documents: number | null;
  /** The documents as they are stored, without what finds them. */
  documentBytes: number | null;
  settingsDifferences: number | null;
  /** While it is filled. */
  filling: { done: number; total: number } | null;
  /** While another is built beside it. */
  rebuild: RebuildStatus | null;
}

export interface RebuildStatus {
  uid: string;
  phase: RebuildPhase;
  copied: number;
  total: number;
  startedTime: Date;
}

/** Changes that have not reached the index. */
export interface OutboxStatus {
  /** Including those already sent. */
  waiting: number;
  sent: number;
  oldestTime: Date | null;
  /** Quarantined chunks: how many, and the first of them. */
  setAside: { count: number; first: { chunkId: string; error: string }[] };
  syncedTime: Date | null;
  error: { message: string; time: Date | null } | null;
}

export interface TaskFilter {
  statuses?: TaskStatus[] | undefined;
  limit: number;
}

/** Most tasks of one answer. */
export const MAX_LISTED_TASKS = 1_000;

export const taskStatuses = ['enqueued', 'processing', 'succeeded', 'failed', 'canceled'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** A task of the search server that concerns one of our indexes. */
export interface IndexTask {
  uid: number;
  type: string;
  status: TaskStatus;
  indexes: string[];
  /** Documents that it writes or deletes, if it does. */
  documents: number | null;
  /** Changes of chunks that wait for it. */
  changes: number;
  enqueuedTime: Date;
  startedTime: Date | null;
  finishedTime: Date | null;
  /** From its start to its end, or until now. */
  durationMs: number | null;
  error: { code: string; message: string } | null;
}

/** Operations for operators of the search, explanations of searches, and tokens. */
export interface SearchOperations {
  /** Whether searches are answered: without counting anything, unlike `status`. */
  indexStatus(): Promise<IndexStatus>;
  status(): Promise<SearchStatus>;
  /** Differences between the actual and the expected index settings. */
  settings(): Promise<SettingDifference[]>;
  /** What the operator has set besides; it is kept. */
  operatorSettings(): Promise<Settings>;
  /** Newest first. */
  tasks(filter: TaskFilter): Promise<IndexTask[]>;
  /** @returns null where PostgreSQL searches: there is no second set of data to compare */
  verify(options?: Pick<VerifyOptions, 'signal' | 'onProgress'>): Promise<Verification | null>;
  /** The same, and has what differs indexed again. Nothing waits for that. */
  repair(
    options: Pick<VerifyOptions, 'signal'> & { onRepair: (chunks: number) => void },
  ): Promise<Verification | null>;
  /** With which a front end asks the search server itself. */
  createToken(reach: Reach, latest: Date | null): Promise<SearchToken>;
  explain(query: ChunkQuery, options?: { chunkId?: string | undefined }): Promise<Explanation>;
  /** Which terms a search uses, and how many chunks hold them. */
  explainTerms(query: ChunkQuery): Promise<QueryExplanation>;
  /** Where texts have the terms of a query; if `within` is given, up to so far behind the first. */
  markMatches(
    query: Pick<ChunkQuery, 'text' | 'language'>,
    texts: string[],
    within?: number,
  ): Promise<Mark[][]>;
}
