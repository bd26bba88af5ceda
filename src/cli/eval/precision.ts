import type { Judgements } from '../../services/evaluations/measures.js';

/** Of the best documents of each query. */
const COUNTED = 10;
const TENTHS = 10;

export interface ScoredDocument {
  document: string;
  score: number;
}

/** The documents whose scores are in one tenth from 0 to 1. */
export interface Tenth {
  from: number;
  hits: number;
  relevant: number;
}

/**
 * How many of the best ten documents of all queries are relevant, by their scores: what a threshold does.
 *
 * @param run for each query the documents found, best first, each once
 */
export function countByTenth(judgements: Judgements, run: Map<string, ScoredDocument[]>): Tenth[] {
  const tenths = Array.from({ length: TENTHS }, (_, i) => ({ from: i / TENTHS, hits: 0, relevant: 0 }));
  for (const [query, grades] of judgements) {
    for (const { document, score } of (run.get(query) ?? []).slice(0, COUNTED)) {
      const tenth = tenths[Math.min(TENTHS - 1, Math.floor(score * TENTHS))];
      if (!tenth) continue;
      tenth.hits++;
      if (grades.has(document)) tenth.relevant++;
    }
  }
  return tenths;
}
