import type { Steps } from '../../async/steps.js';
import type { SearchLanguage } from '../chunk-index.js';
import type { FoundWords } from '../postgres/postings/read-words.js';
import { countOf } from '../postgres/postings/segment-words.js';
import { isStopTerm, termOf } from '../ranking/analyze.js';
import type { Alternative } from '../typos/find-alternatives.js';

const BLOCKS_OF_STEP = 50;
/** What a completion weighs, of what it would if it were asked for. */
const SHARES = [1, 0.8, 0.6, 0.5, 0.4];

/** Finds the words of some blocks that begin with a word and are longer, the most frequent first. */
export function* findCompletionsInSteps(word: string, blocks: FoundWords[]): Steps<string[]> {
  const found = new Map<string, number>();
  for (const [place, { words, counts }] of blocks.entries()) {
    for (const [number, other] of words.split(' ').entries()) {
      if (!other.startsWith(word) || other === word) continue;
      found.set(other, (found.get(other) ?? 0) + countOf(counts[number] as number));
    }
    if (place % BLOCKS_OF_STEP === BLOCKS_OF_STEP - 1) yield;
  }
  return [...found].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([other]) => other);
}

/** What an unfinished word is also searched as: words with other terms than these. */
export function toAlternatives(
  completions: string[],
  terms: string[],
  language: SearchLanguage,
): Alternative[] {
  const byTerm = new Map<string, string>();
  for (const word of completions) {
    const term = termOf(word);
    if (byTerm.has(term) || terms.includes(term) || isStopTerm(term, language)) continue;
    byTerm.set(term, word);
    if (byTerm.size === SHARES.length) break;
  }
  return [...byTerm.values()].map((word, place) => ({
    words: [word],
    share: SHARES[place] as number,
  }));
}
