import { B, K1, K3, PAIR_WEIGHT } from './weights.js';

/** A parsed query: its distinct terms, and which of them are adjacent. */
export interface QueryTerms {
  terms: string[];
  /** Frequency of each term in the query, aligned with `terms`; default 1. */
  counts?: number[];
  /** Index pairs into `terms`. */
  pairs: [number, number][];
}

/** One candidate: its length in terms and the positions of each query term. */
export interface CandidateTerms {
  length: number;
  /** Aligned with the query's terms. Sorted; empty where the term does not occur. */
  positions: number[][];
}

export interface CorpusStatistics {
  size: number;
  averageLength: number;
  /** How many chunks hold each query term, aligned with the query's terms. */
  frequencies: number[];
}

/**
 * Ranks candidates by BM25 in Lucene's form, `idf = ln(1 + (N - df + 0.5) / (df + 0.5))` and
 * `tf / (tf + k1 (1 - b + b length / averageLength))`, with pairs of neighbouring query words counted as further
 * terms at a lower weight, and what the query repeats at a higher one, `(k3 + 1) qtf / (k3 + qtf)`. (Robertson and
 * Zaragoza, "The Probabilistic Relevance Framework", 2009.)
 *
 * @returns a score for each candidate, as a share of what a perfect match would reach: 0 to 1
 */
export function bm25(query: QueryTerms, corpus: CorpusStatistics, candidates: CandidateTerms[]): number[] {
  const idf = (frequency: number) =>
    Math.log(1 + (Math.max(corpus.size, frequency) - frequency + 0.5) / (frequency + 0.5));
  const pairCounts = candidates.map(({ positions }) =>
    query.pairs.map(([a, b]) => countNeighbours(positions[a] ?? [], positions[b] ?? [])),
  );

  const emphasis = (count: number) => ((K3 + 1) * count) / (K3 + count);
  const weights = corpus.frequencies.map((frequency, i) => idf(frequency) * emphasis(query.counts?.[i] ?? 1));
  // A pair's frequency in the whole corpus is not kept; whoever holds a pair is nearly always a candidate.
  const pairWeights = query.pairs.map(
    (_, i) => PAIR_WEIGHT * idf(pairCounts.filter((counts) => (counts[i] ?? 0) > 0).length),
  );
  const perfect = sum(weights) + sum(pairWeights);

  return candidates.map(({ length, positions }, c) => {
    const norm = K1 * (1 - B + (B * length) / (corpus.averageLength || 1));
    const saturate = (count: number) => count / (count + norm);
    const fromTerms = sum(weights.map((weight, i) => weight * saturate(positions[i]?.length ?? 0)));
    const fromPairs = sum(pairWeights.map((weight, i) => weight * saturate(pairCounts[c]?.[i] ?? 0)));
    return perfect > 0 ? (fromTerms + fromPairs) / perfect : 0;
  });
}

function countNeighbours(first: number[], second: number[]): number {
  const next = new Set(second);
  return first.filter((position) => next.has(position + 1)).length;
}

const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);
