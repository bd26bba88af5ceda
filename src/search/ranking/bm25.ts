import { createAdder, type Option, type Place } from './choices.js';
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
  /** Terms of which the best option counts, whichever a chunk has: a phrase of the question first, then its synonyms. */
  choices?: Option[][];
}

/** One candidate: its length in terms, and how often each term and pair of the query occurs. */
export interface CandidateTerms {
  length: number;
  /** Aligned with the query's terms. */
  counts: number[];
  /** Aligned with the query's pairs. */
  pairCounts: number[];
  /** Where it is, for a query with options that do not count everywhere. */
  places?: Place[];
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
  choices: Option[][];
}

/**
 * The weight of each term: BM25's inverse document frequency in Lucene's form, `ln(1 + (N - df + 0.5) / (df + 0.5))`,
 * and more where the query repeats the term, `(k3 + 1) qtf / (k3 + qtf)`. (Robertson and Zaragoza, "The Probabilistic
 * Relevance Framework", 2009.) A pair of neighbouring words has a share of its rarer word's. (After Rasolofo and Savoy,
 * "Term Proximity Scoring for Keyword-Based Retrieval Systems", 2003, who take the lesser; the greater is nearer to what
 * the pair itself would have, since no more chunks hold it than hold that word.)
 */
export function weighQuery(
  { counts, pairs, pairCounts, shares, choices = [] }: QueryTerms,
  { size, frequencies }: CorpusStatistics,
): QueryWeights {
  const idfs = frequencies.map((frequency) =>
    Math.log(1 + (Math.max(size, frequency) - frequency + 0.5) / (frequency + 0.5)),
  );
  const emphasis = (count: number) => ((K3 + 1) * count) / (K3 + count);
  const shareOf = (place: number) => (isMissing.has(place) ? 0 : (shares?.[place] ?? 1));
  // No chunk can have an option whose words are nowhere: that is not what a perfect match is measured by.
  const isHeld = (place: number) => (frequencies[place] ?? 0) > 0;
  const isMissing = new Set(
    choices
      .map((options) => options.flatMap(({ terms }) => terms))
      .filter((terms) => terms.some(isHeld))
      .flatMap((terms) => terms.filter((place) => !isHeld(place))),
  );
  return {
    choices,
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
 * Scores candidates by BM25, with pairs as further terms. Of each choice the best option counts, as in a disjunction max
 * query: whoever lists many synonyms makes none of them more important than the word itself.
 *
 * @returns a score for each candidate, as a share of what a perfect match would reach: 0 to 1
 */
export function bm25(
  weights: QueryWeights,
  corpus: Pick<CorpusStatistics, 'averageLength'>,
  candidates: CandidateTerms[],
): number[] {
  const add = createAdder(weights, weights.choices);
  const perfect = add(weights);
  return candidates.map(({ length, counts, pairCounts, places }) => {
    const norm = lengthNorm(length, corpus);
    const saturate = (count: number) => count / (count + norm);
    const terms = weights.terms.map((weight, i) => weight * saturate(counts[i] ?? 0));
    const pairs = weights.pairs.map((weight, i) => weight * saturate(pairCounts[i] ?? 0));
    return perfect > 0 ? add({ terms, pairs }, places) / perfect : 0;
  });
}
