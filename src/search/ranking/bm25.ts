import { B, K1, K3, PAIR_WEIGHT } from './weights.js';

/** A parsed query: its distinct terms, and which of them are adjacent. */
export interface QueryTerms {
  terms: string[];
  /** Frequency of each term in the query, aligned with `terms`. */
  counts: number[];
  /** Index pairs into `terms`, each once. */
  pairs: [number, number][];
  /** Frequency of each pair in the query, aligned with `pairs`. */
  pairCounts: number[];
  /** What of its weight each term has, aligned with `terms`; a pair has the lesser share of its two. All of it by default. */
  shares?: number[];
}

/** One candidate: its length in terms, and how often each term and pair of the query occurs. */
export interface CandidateTerms {
  length: number;
  /** Aligned with the query's terms. */
  counts: number[];
  /** Aligned with the query's pairs. */
  pairCounts: number[];
}

export interface CorpusStatistics {
  size: number;
  averageLength: number;
  /** How many chunks hold each query term, aligned with the query's terms. */
  frequencies: number[];
}

/** The weights of a query's terms and pairs in some corpus. */
export interface QueryWeights {
  terms: number[];
  pairs: number[];
}

/**
 * The weight of each term: BM25's inverse document frequency in Lucene's form, `ln(1 + (N - df + 0.5) / (df + 0.5))`,
 * and more where the query repeats the term, `(k3 + 1) qtf / (k3 + qtf)`. (Robertson and Zaragoza, "The Probabilistic
 * Relevance Framework", 2009.) A pair of neighbouring words has a share of its rarer word's. (After Rasolofo and Savoy,
 * "Term Proximity Scoring for Keyword-Based Retrieval Systems", 2003, who take the lesser; the greater is nearer to what
 * the pair itself would have, since no more chunks hold it than hold that word.)
 */
export function weighQuery(
  { counts, pairs, pairCounts, shares }: QueryTerms,
  { size, frequencies }: CorpusStatistics,
): QueryWeights {
  const idfs = frequencies.map((frequency) =>
    Math.log(1 + (Math.max(size, frequency) - frequency + 0.5) / (frequency + 0.5)),
  );
  const emphasis = (count: number) => ((K3 + 1) * count) / (K3 + count);
  const shareOf = (place: number) => shares?.[place] ?? 1;
  return {
    terms: idfs.map((idf, i) => idf * emphasis(counts[i] ?? 1) * shareOf(i)),
    pairs: pairs.map(([a, b], i) => {
      const rarer = Math.max(idfs[a] ?? 0, idfs[b] ?? 0);
      return PAIR_WEIGHT * (pairCounts[i] ?? 1) * rarer * Math.min(shareOf(a), shareOf(b));
    }),
  };
}

/** What the frequency of a term is compared with in a chunk of this length. */
export const lengthNorm = (
  length: number,
  { averageLength }: Pick<CorpusStatistics, 'averageLength'>,
): number => K1 * (1 - B + (B * length) / (averageLength || 1));

/**
 * Scores candidates by BM25, with pairs as further terms.
 *
 * @returns a score for each candidate, as a share of what a perfect match would reach: 0 to 1
 */
export function bm25(
  weights: QueryWeights,
  corpus: Pick<CorpusStatistics, 'averageLength'>,
  candidates: CandidateTerms[],
): number[] {
  const perfect = sum(weights.terms) + sum(weights.pairs);
  return candidates.map(({ length, counts, pairCounts }) => {
    const norm = lengthNorm(length, corpus);
    const saturate = (count: number) => count / (count + norm);
    const fromTerms = sum(weights.terms.map((weight, i) => weight * saturate(counts[i] ?? 0)));
    const fromPairs = sum(weights.pairs.map((weight, i) => weight * saturate(pairCounts[i] ?? 0)));
    return perfect > 0 ? (fromTerms + fromPairs) / perfect : 0;
  });
}

const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);
