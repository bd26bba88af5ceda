import { runYielding } from '../../async/steps.js';
import type { Completion, SearchLanguage } from '../chunk-index.js';
import type { FoundWords } from '../postgres/postings/read-words.js';
import type { CorpusStatistics, QueryTerms } from '../ranking/bm25.js';
import { toCorrections } from '../typos/corrections.js';
import type { MistypedWord } from '../typos/find-alternatives.js';
import type { Findable } from '../typos/findable-words.js';
import { findCompletionsInSteps, toAlternatives } from './find-completions.js';
import type { UnfinishedWord } from './unfinished-word.js';

/** Most completions of a word. */
export const MAX_COMPLETIONS = 20;
/** Completions that are looked up at a time, until there are enough that can be found. */
const LOOKED_UP = 25;
/** Of the vocabulary, read for a word: of the largest segments first. */
export const MAX_COMPLETION_CHARACTERS = 200_000;

/** Beside the word as it is, where chunks have it. */
const SHARE_BESIDE_WORD = 0.5;

export interface CompletedWord extends MistypedWord {
  completions: string[];
}

/**
 * What an unfinished word may become by some blocks, and is also searched as; undefined where no word that can be found
 * begins with it.
 *
 * @param options.terms those that are searched anyway
 */
export async function completeWord(
  { word, term }: UnfinishedWord,
  blocks: FoundWords[],
  { findable, terms, language }: { findable: Findable; terms: string[]; language: SearchLanguage },
): Promise<CompletedWord | undefined> {
  const found = await runYielding(findCompletionsInSteps(word, blocks));
  const completions: string[] = [];
  for (let start = 0; start < found.length && completions.length < MAX_COMPLETIONS; start += LOOKED_UP)
    completions.push(...(await findable(found.slice(start, start + LOOKED_UP))));
  if (completions.length === 0) return undefined;
  const alternatives = toAlternatives(completions, terms, language);
  return { word, term, written: [word], alternatives, completions: completions.slice(0, MAX_COMPLETIONS) };
}

/** The same, with less weight beside a word that chunks have as it is. */
export const besideWords = (
  completed: CompletedWord[],
  { terms }: QueryTerms,
  { frequencies }: CorpusStatistics,
): CompletedWord[] =>
  completed.map((one) => {
    const isWord = (frequencies[terms.indexOf(one.term)] ?? 0) > 0;
    const weigh = (share: number) => (isWord ? SHARE_BESIDE_WORD * share : share);
    return {
      ...one,
      alternatives: one.alternatives.map(({ words, share }) => ({ words, share: weigh(share) })),
    };
  });

/**
 * The questions that an unfinished one may become, with its other words as they are most likely meant.
 */
export function toCompletions(
  text: string,
  { word, before }: UnfinishedWord,
  completed: CompletedWord | undefined,
  mistyped: MistypedWord[],
): Completion[] {
  const isLast = ({ written }: MistypedWord) => written.length === 1 && written[0] === word;
  const { didYouMean = before } = toCorrections(
    before,
    mistyped.filter((one) => !isLast(one)),
  );
  // In capitals and with accents, as it has been written so far.
  const soFar = didYouMean + text.slice(before.length);
  if (completed)
    return completed.completions.map((one) => ({ word: one, text: soFar + one.slice(word.length) }));
  return (mistyped.find(isLast)?.alternatives ?? [])
    .map(({ words }) => words.join(' '))
    .map((one) => ({ word: one, text: didYouMean + one }));
}
