import { isUnspaced } from '../ranking/analyze.js';

/** Before a term that is no word of the chunk; no word begins with it. */
const NO_WORD = '-';

/**
 * The words of a chunk as they are stored beside its terms: those that are not their own terms, and which terms are no
 * words. All others are among the terms. So they can be read without a stemmer.
 *
 * @param words with their terms
 */
export function toStoredWords(words: ReadonlyMap<string, string>): string {
  const inflected = [...words].filter(([word, term]) => word !== term);
  const stems = new Set(inflected.map(([, term]) => term).filter((term) => words.get(term) !== term));
  return [...inflected.map(([word]) => word), ...[...stems].map((term) => NO_WORD + term)].join(' ');
}

/** The words of a chunk, each once. */
export function readStoredWords({ terms, words }: { terms: string; words: string }): Set<string> {
  const all = new Set(terms.split(' '));
  for (const token of all) if (token === '' || isUnspaced(token)) all.delete(token);
  if (words === '') return all;
  for (const word of words.split(' ')) {
    if (word.startsWith(NO_WORD)) all.delete(word.slice(NO_WORD.length));
  }
  for (const word of words.split(' ')) if (!word.startsWith(NO_WORD)) all.add(word);
  return all;
}
