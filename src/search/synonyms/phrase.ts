import { isUnspaced, tokenize } from '../ranking/analyze.js';

/**
 * What phrases are compared by, as they are indexed: the stems of words, and single characters of scripts without spaces,
 * where a phrase may begin and end anywhere.
 */
export const unitsOf = (text: string): string[] =>
  tokenize(text).flatMap((token) => (isUnspaced(token) ? [...token] : [token]));

/** The terms of a phrase: its words, its characters, and the pairs of these. */
export const termsOfUnits = (units: string[]): string[] =>
  units.flatMap((unit, i) => {
    const next = units[i + 1];
    return isUnspaced(unit) && next !== undefined && isUnspaced(next) ? [unit, unit + next] : [unit];
  });
