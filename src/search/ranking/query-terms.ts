import type { ChunkQuery } from '../chunk-index.js';
import { analyzeQuery, isUnspaced, type Term } from './analyze.js';
import type { QueryTerms } from './bm25.js';

export const MAX_QUERY_TERMS = 128;
/** What is behind them only repeats terms, in every text but the most monotonous. */
export const MAX_ANALYZED_CHARACTERS = 3_000;

/** Parses a query into its first distinct terms and the adjacent pairs among them. */
export function parseQuery({ text, language }: Pick<ChunkQuery, 'text' | 'language'>): QueryTerms {
  const found = analyzeQuery(text.slice(0, MAX_ANALYZED_CHARACTERS), language);
  const termCounts = new Map<string, number>();
  for (const { term } of found) {
    const count = termCounts.get(term);
    if (count !== undefined || termCounts.size < MAX_QUERY_TERMS) termCounts.set(term, (count ?? 0) + 1);
  }
  const terms = [...termCounts.keys()];
  return { terms, counts: [...termCounts.values()], pairs: pairsOf(found, terms) };
}

function pairsOf(found: Term[], terms: string[]): [number, number][] {
  const place = new Map(terms.map((term, i) => [term, i]));
  const words = found.filter(({ term }) => !isUnspaced(term));
  return words.flatMap(({ term, position }, i): [number, number][] => {
    const next = words[i + 1];
    const [a, b] = [place.get(term), next && place.get(next.term)];
    return a !== undefined && b !== undefined && next?.position === position + 1 ? [[a, b]] : [];
  });
}
