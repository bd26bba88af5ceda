import type { Filter } from './filter/filter.js';

/** The search engines. */
export const searchEngines = ['meilisearch', 'postgres'] as const;
export type SearchEngine = (typeof searchEngines)[number];

export const searchLanguages = ['english', 'chinese'] as const;
export type SearchLanguage = (typeof searchLanguages)[number];

/** By words alone, by words and meaning, or by meaning alone. */
export const searchModes = ['lexical', 'hybrid', 'semantic'] as const;
export type SearchMode = (typeof searchModes)[number];

/** Why a chunk is not among the hits. `lowRank`: found, but more hits would have to be asked for. */
export const missCauses = [
  'unknown',
  'otherUnit',
  'deleted',
  'inactive',
  'disabled',
  'otherDataset',
  'filteredOut',
  'waiting',
  'refused',
  'lowRank',
  'noTerm',
  'farther',
  'outranked',
  'unindexed',
  'unembedded',
  'unembeddable',
] as const;
export type MissCause = (typeof missCauses)[number];

export interface ChunkQuery {
  tenantId: string;
  tenantUnitId: string | string[];
  datasetIds: string[];
  text: string;
  /** Language whose stop words ("what", "the", 什么) are removed from the query. */
  language: SearchLanguage;
  /** Most candidates to return. */
  limit: number;
  /** As configured if undefined. */
  mode?: SearchMode | undefined;
  /** Whether mistyped words are also searched as they may be meant; true by default. */
  typos?: boolean | undefined;
  /** Whether its last word is still being typed: it is also searched as what it may become, and less is read. PostgreSQL alone. */
  isUnfinished?: boolean | undefined;
  /** Whether phrases are also searched as the tenant's synonyms of them; true by default. */
  synonyms?: boolean | undefined;
  /** Which chunks may be found; all if undefined. */
  filter?: Filter | undefined;
}

/** Where a query searches. */
export type QueryScope = Pick<ChunkQuery, 'tenantId' | 'tenantUnitId' | 'datasetIds'>;

/** A word or phrase of a question that was also searched otherwise. */
export interface Correction {
  word: string;
  /** What was searched besides, the most likely first. */
  instead: string[];
}

/** What the last word of a question may become. */
export interface Completion {
  word: string;
  /** The question that ends with it. */
  text: string;
}

/** Parts whose sum is the logarithm of the odds of a score: `ln(score / (1 - score))`. */
export interface LogOdds {
  /** That every chunk has. */
  base: number;
  words: number;
  meaning: number;
}

/** A chunk that matches a query. Best first; scores are between 0 and 1. */
export interface Candidate {
  chunkId: string;
  score: number;
  /** What the score was made of, where meaning counts: BM25 as a share of a perfect match, and the centered cosine. */
  words?: number;
  meaning?: number;
  /** What these add up to, as it makes the score. */
  logOdds?: LogOdds;
  /** What a reranker gave it. */
  rerank?: number;
}

/** What a score was made of, null where that does not count. */
export interface ScoreParts {
  /** BM25 as a share of a perfect match. */
  words: number | null;
  /** The centered cosine. */
  meaning: number | null;
  /** What a reranker gave it. */
  rerank: number | null;
  /** What these add up to. */
  logOdds: LogOdds | null;
}

/** The parts of a candidate's score; of none, nothing. */
export const scorePartsOf = (candidate?: Candidate): ScoreParts => ({
  words: candidate?.words ?? null,
  meaning: candidate?.meaning ?? null,
  rerank: candidate?.rerank ?? null,
  logOdds: candidate?.logOdds ?? null,
});

export interface SearchCandidates {
  /** The engine that answered. */
  engine: SearchEngine;
  /** By words alone also where nothing is known of the meaning. */
  mode: SearchMode;
  candidates: Candidate[];
  /** Whether the query matches more than one search reads: the least relevant matches were left out. */
  isTruncated: boolean;
  /** Whether a reranker ordered the best of them; undefined where none is configured. */
  isReranked?: boolean;
  /** Words of the question that were also searched as they may be meant. */
  corrections?: Correction[];
  /** The question with these words as they are most likely meant. */
  didYouMean?: string;
  /** What the unfinished word of the question may become, the most frequent first. */
  completions?: Completion[];
  /** Phrases of the question that were also searched as their synonyms. */
  synonyms?: Correction[];
  /** What the search had to do without, and why: a sentence for each, for operators. */
  notes?: string[];
}

export interface IndexStatus {
  engine: SearchEngine;
  /** Whether the engine can answer searches now. */
  available: boolean;
  reason?: string;
}

/**
 * Full text search over chunks. The index returns candidates only: the caller reads each from the database,
 * so that a stale index can neither leak text nor return deleted text.
 */
export interface ChunkIndex {
  readonly engine: SearchEngine;
  /**
   * @returns fewer candidates than `limit` only if there are no more
   * @throws DomainError `unavailable` when the index cannot answer, or not completely
   */
  search(query: ChunkQuery): Promise<SearchCandidates>;
  status(): Promise<IndexStatus>;
}
