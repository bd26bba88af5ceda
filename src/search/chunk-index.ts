import type { Queryable } from '../../db/schema.js';

/** What can answer a search. */
export const searchEngines = ['postgres', 'meilisearch'] as const;
export type SearchEngine = (typeof searchEngines)[number];

export type SearchLanguage = 'english' | 'chinese';

export interface ChunkQuery {
  tenantId: string;
  tenantUnitId: string | string[];
  datasetIds: string[];
  text: string;
  /** Whose function words ("what", "the", 什么) are left out of the query. */
  language: SearchLanguage;
  /** Most candidates to return. */
  limit: number;
}

/** A chunk that the index thinks relevant. Best first; scores lie between 0 and 1. */
export interface Candidate {
  chunkId: string;
  score: number;
}

export interface SearchCandidates {
  /** Which engine answered. */
  engine: SearchEngine;
  candidates: Candidate[];
}

/** New chunks of one run of the ingestion, whose search terms stand in `chunk_drafts`. */
export interface CreatedChunks {
  tenantId: string;
  documentId: string;
  attemptId: string;
  chunkIds: string[];
}

export interface ChunkChanges {
  /** Whose chunks and documents all of these are; undefined where they may be several tenants'. */
  tenantId?: string | undefined;
  created?: CreatedChunks;
  /** Chunks that are new or whose text, keywords or place changed. */
  changed?: string[];
  /** Chunks that are gone. */
  removed?: string[];
  /** Documents that were switched on or off, or are in other datasets now. The text of their chunks stays. */
  changedDocuments?: { tenantId: string; documentId: string }[];
}

export interface IndexStatus {
  engine: SearchEngine;
  /** Whether searches are answered now. */
  available: boolean;
  reason?: string;
}

/**
 * Full text search over chunks. The index only proposes: whoever searches checks each candidate in the
 * database, so that an index that lags can neither leak text nor bring it back.
 */
export interface ChunkIndex {
  readonly engine: SearchEngine;
  /**
   * @returns fewer candidates than `limit` only if there are no more
   * @throws DomainError `unavailable` when the index cannot answer, or not completely
   */
  search(query: ChunkQuery): Promise<SearchCandidates>;
  /** Takes note of changed rows in the transaction that changes them, after they are written. */
  applyChanges(tx: Queryable, changes: ChunkChanges): Promise<void>;
  status(): Promise<IndexStatus>;
}
