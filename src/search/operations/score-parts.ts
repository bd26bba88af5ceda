import type { Candidate, LogOdds } from '../chunk-index.js';

/** What a score was made of, null where that does not count. */
export interface ScoreParts {
  /** BM25 as a share of a perfect match. */
  words: number | null;
  /** The cosine. */
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
