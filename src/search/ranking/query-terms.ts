import type { ChunkQuery } from '../chunk-index.js';
import { analyzeQuery, isUnspaced, type Term } from './analyze.js';
import type { QueryTerms } from './bm25.js';

/** Of its terms, and of its pairs. */
export const MAX_QUERY_TERMS = 128;
/** What is behind them only repeats terms, in every text but the most monotonous. */
export const MAX_ANALYZED_CHARACTERS = 3_000;

/** Parses a query into its first distinct terms and the first distinct adjacent pairs among them. */
export function parseQuery({ text, language }: Pick<ChunkQuery, 'text' | 'language'>): QueryTerms {
  const found = analyzeQuery(text.slice(0, MAX_ANALYZED_CHARACTERS), language);
  const termCounts = countFirst(found.map(({ term }) => term));
  const terms = [...termCounts.keys()];
  const pairCounts = countFirst(pairsOf(found, terms));
  return {
    terms,
    counts: [...termCounts.values()],
    pairs: [...pairCounts.keys()].map((pair) => [Math.floor(pair / MAX_QUERY_TERMS), pair % MAX_QUERY_TERMS]),
    pairCounts: [...pairCounts.values()],
  };
}

/** How often each occurs, of the first distinct ones. */
function countFirst<T>(all: T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const one of all) {
    const count = counts.get(one);
    if (count !== undefined || counts.size < MAX_QUERY_TERMS) counts.set(one, (count ?? 0) + 1);
  }
  return counts;
}

/** The neighbours among the terms, two places in one number. */
function pairsOf(found: Term[], terms: string[]): number[] {
  const place = new Map(terms.map((term, i) => [term, i]));
  const words = found.filter(({ term }) => !isUnspaced(term));
  return words.flatMap(({ term, position }, i) => {
    const next = words[i + 1];
    const [a, b] = [place.get(term), next && place.get(next.term)];
    return a !== undefined && b !== undefined && next?.position === position + 1
      ? [a * MAX_QUERY_TERMS + b]
      : [];
  });
}
