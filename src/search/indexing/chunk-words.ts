import { isUnspaced, termOf } from '../ranking/analyze.js';

/**
 * The words of a chunk as they are stored beside its terms: those that are not their own terms, and those that share a
 * term with one of these. All others are among the terms.
 *
 * @param words with their terms
 */
export function toStoredWords(words: ReadonlyMap<string, string>): string {
  const inflected = new Set<string>();
  for (const [word, term] of words) if (word !== term) inflected.add(term);
  return [...words]
    .filter(([, term]) => inflected.has(term))
    .map(([word]) => word)
    .join(' ');
}

/** The words of a chunk, each once. */
export function readStoredWords({ terms, words }: { terms: string; words: string }): Set<string> {
  const stored = words === '' ? [] : words.split(' ');
  const inflected = new Set(stored.map(termOf));
  const all = new Set(stored);
  for (const token of terms.split(' ')) {
    if (token !== '' && !isUnspaced(token) && !inflected.has(token)) all.add(token);
  }
  return all;
}
