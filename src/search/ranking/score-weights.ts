import type { LogOdds } from '../chunk-index.js';

/*
 * Fitted by logistic regression to candidates of judged collections in English and Chinese with two models, each
 * collection with the same weight.
 */

/** For the share of a perfect match, and the place of a cosine between unrelated and related texts. */
export const BY_WORDS_AND_MEANING: LogOdds = { base: -7.5, words: 7.5, meaning: 2.5 };
export const BY_MEANING: LogOdds = { base: -6.5, words: 0, meaning: 2.5 };
