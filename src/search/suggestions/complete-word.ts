import { runYielding } from '../../async/steps.js';
import type { Completion, SearchLanguage } from '../chunk-index.js';
import type { FoundWords } from '../postgres/postings/read-words.js';
import type { CorpusStatistics, QueryTerms } from '../ranking/bm25.js';
import { toCorrections } from '../typos/corrections.js';
import type { MistypedWord } from '../typos/find-alternatives.js';
import { findCompletionsInSteps, toAlternatives } from './find-completions.js';
import type { UnfinishedWord } from './unfinished-word.js';

/** Most completions of a word. */
export const MAX_COMPLETIONS = 20;
/** Of the vocabulary, read for a word: of the largest segments first. */
export const MAX_COMPLETION_CHARACTERS = 200_000;

/** Beside the word as it is, where chunks have it. */
const SHARE_BESIDE_WORD = 0.5;

export interface CompletedWord extends MistypedWord {
  completions: string[];
}

/**
 * What an unfinished word may become by some blocks, and is also searched as; undefined where no word begins with it.
 *
 * @param terms those that are searched anyway
 */
export async function completeWord(
  { word, term }: UnfinishedWord,
  blocks: FoundWords[],
  terms: string[],
  language: SearchLanguage,
): Promise<CompletedWord | undefined> {
  const completions = await runYielding(findCompletionsInSteps(word, blocks));
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

/** With all completions as what it may mean. */
export const toCompleted = (one: CompletedWord): MistypedWord => ({
  ...one,
  alternatives: one.completions.map((word) => ({ words: [word], share: 1 })),
});

/**
 * The questions that an unfinished one may become, with its other words as they are most likely meant.
 *
 * @param completed with what the word may become
 */
export function toCompletions(
  text: string,
  { word, before }: UnfinishedWord,
  completed: MistypedWord | undefined,
  mistyped: MistypedWord[],
): Completion[] {
  const isLast = ({ written }: MistypedWord) => written.length === 1 && written[0] === word;
  const { didYouMean = before } = toCorrections(
    before,
    mistyped.filter((one) => !isLast(one)),
  );
  const wordsOf = (one: MistypedWord | undefined) =>
    (one?.alternatives ?? []).map(({ words }) => words.join(' '));
  // In capitals and with accents, as it has been written so far.
  const soFar = didYouMean + text.slice(before.length);
  if (completed)
    return wordsOf(completed).map((one) => ({ word: one, text: soFar + one.slice(word.length) }));
  return wordsOf(mistyped.find(isLast)).map((one) => ({ word: one, text: didYouMean + one }));
}
