import type { LogOdds } from '../chunk-index.js';

/*
 * What a score is the sum of, in log odds: for the share of a perfect match, and for the place of a cosine between
 * unrelated texts and answers. The ratio of words and meaning has the best order on judged collections in English and
 * Chinese with two models, and a flat optimum; the rest makes the score the probability that a hit is relevant, by
 * logistic regression, each collection with the same weight.
 */

export const BY_WORDS_AND_MEANING: LogOdds = { base: -6.2, words: 4.9, meaning: 1.4 };
export const BY_MEANING: LogOdds = { base: -5.1, words: 0, meaning: 1.1 };
