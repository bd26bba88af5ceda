import type { SearchCandidates } from '../chunk-index.js';
import { toWord, WORD } from '../ranking/analyze.js';
import type { MistypedWord } from './find-alternatives.js';

/** What callers are told of mistyped words. */
export function toCorrections(
  text: string,
  mistyped: MistypedWord[],
): Pick<SearchCandidates, 'corrections' | 'didYouMean'> {
  if (mistyped.length === 0) return {};
  const corrections = mistyped.map(({ word, alternatives }) => ({
    word,
    instead: alternatives.map(({ words }) => words.join(' ')),
  }));
  const best = new Map(corrections.map(({ word, instead }) => [word, instead[0]]));
  return { corrections, didYouMean: text.replace(WORD, (match) => best.get(toWord(match)) ?? match) };
}
