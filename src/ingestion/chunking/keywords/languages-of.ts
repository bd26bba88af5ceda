import type { Word } from './words.js';

/** So many words that are grammar in one language alone are no names and no loanwords. */
const MIN_GRAMMAR = 3;
const LATIN: ReadonlySet<string> = new Set(
  'az ca cs da de es et eu fi fr hr hu is it ku lt lv ms nl no pl pt ro sk sl sq sv tl tr vi yo'.split(' '),
);

/** The languages of which there are at least a few words, as their grammar tells. */
export function languagesOf(tokens: readonly { word: Word }[]): string[] {
  const words = new Map<string, Set<string>>();
  for (const { word } of tokens) {
    if (word.grammarOf === undefined) continue;
    const found = words.get(word.grammarOf);
    if (found) found.add(word.key);
    else words.set(word.grammarOf, new Set([word.key]));
  }
  return [...words].filter(([, found]) => found.size >= MIN_GRAMMAR).map(([language]) => language);
}

/** The words of an alphabet among others are English, unless they are known to be something else. */
export const withEnglish = (languages: readonly string[]): string[] => {
  const others = languages.filter((language) => language !== 'en');
  const isEnglish = others.length < languages.length || !others.some((language) => LATIN.has(language));
  return (isEnglish ? [...others, 'en'] : others).sort();
};
