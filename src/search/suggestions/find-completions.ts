import type { Steps } from '../../async/steps.js';
import type { SearchLanguage } from '../chunk-index.js';
import type { FoundWords } from '../postgres/postings/read-words.js';
import { countOf } from '../postgres/postings/segment-words.js';
import { isStopTerm, termOf } from '../ranking/analyze.js';
import type { Alternative } from '../typos/find-alternatives.js';
import type { VocabularyWord } from '../typos/findable-words.js';

/** Characters that are read, and words that are compared, in one step: some milliseconds. */
const CHARACTERS_OF_STEP = 50_000;
const WORDS_OF_STEP = 20_000;
/** Most completions of which those are chosen that can be found. */
const MAX_FOUND = 100;
/** What a completion weighs, of what it would if it were asked for. */
const SHARES = [1, 0.8, 0.6, 0.5, 0.4];

interface Found extends VocabularyWord {
  /** How many chunks hold it, about. */
  count: number;
}

/** Finds the words of some blocks that begin with a word and are longer: the most frequent, these first. */
export function* findCompletionsInSteps(word: string, blocks: FoundWords[]): Steps<VocabularyWord[]> {
  const found = new Map<string, Found>();
  let unyielded = 0;
  for (const { words, counts, isCurrent } of blocks) {
    for (const [number, other] of words.split(' ').entries()) {
      if (!other.startsWith(word) || other === word) continue;
      const count = countOf(counts[number] as number);
      const known = found.get(other);
      if (!known) found.set(other, { word: other, count, isCurrent });
      else {
        known.count += count;
        known.isCurrent ||= isCurrent;
      }
    }
    unyielded += words.length;
    if (unyielded < CHARACTERS_OF_STEP) continue;
    unyielded = 0;
    yield;
  }
  let best: Found[] = [];
  let compared = 0;
  for (const one of found.values()) {
    best.push(one);
    if (best.length === 2 * MAX_FOUND) best = mostFrequent(best);
    if (++compared % WORDS_OF_STEP === 0) yield;
  }
  return mostFrequent(best);
}

const mostFrequent = (words: Found[]): Found[] =>
  words.sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1)).slice(0, MAX_FOUND);

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
