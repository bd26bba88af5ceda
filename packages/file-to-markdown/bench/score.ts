import { addWords, commonWords, totalOf, type Words } from './words.js';

/** What a file says, found without any of the parsers that are compared. */
export interface Truth {
  /** Every parser should give these words. */
  required: Words;
  /** A parser may also give these: notes, page headers, names of parts. */
  allowed: Words;
}

export interface Score {
  /** Share of the required words that were given. */
  recall: number;
  /** Share of the given words that are required or allowed. */
  precision: number;
}

export const FAILED: Score = { recall: 0, precision: 0 };

export function scoreWords(given: Words, { required, allowed }: Truth): Score {
  const total = totalOf(given);
  if (total === 0) return FAILED;
  return {
    recall: totalOf(commonWords(given, required)) / totalOf(required),
    precision: totalOf(commonWords(given, addWords(required, allowed))) / total,
  };
}

/** The harmonic mean. */
export function balanced({ recall, precision }: Score): number {
  return recall + precision === 0 ? 0 : (2 * recall * precision) / (recall + precision);
}
