import { NotImplementedError } from './errors.js';
import type { Document, Index } from './indexes.js';

/** The server ignores words beyond this many. */
const MAX_WORDS = 10;
const wordSets = new WeakMap<Document, Set<string>>();

/**
 * The documents that hold words of a query, best first, with the strategy `last`: words are given up from the end, never
 * the first. The server also looks for two words joined and for a word in two parts, which the double does not.
 */
export function matchWords({ settings }: Index, documents: Document[], query: string): Document[] {
  const words = query.split(' ').filter(Boolean);
  if (words.length === 0) return documents;
  if (words.length > MAX_WORDS || !words.every((word) => /^[a-z0-9]+$/.test(word)))
    throw new NotImplementedError(`the query \`${query}\``);
  const { rankingRules, typoTolerance, prefixSearch, proximityPrecision, searchableAttributes } = settings;
  const [attribute = '*', another] = searchableAttributes;
  const isPlain =
    rankingRules.join() === 'words' &&
    !typoTolerance.enabled &&
    prefixSearch === 'disabled' &&
    proximityPrecision === 'byAttribute' &&
    attribute !== '*' &&
    another === undefined;
  if (!isPlain) throw new NotImplementedError('searches for words with these settings');
  return documents
    .map((document) => ({ document, held: countLeadingWords(words, wordsOf(document, attribute)) }))
    .filter(({ held }) => held > 0)
    .sort((a, b) => b.held - a.held)
    .map(({ document }) => document);
}

function countLeadingWords(words: string[], held: Set<string>): number {
  const end = words.findIndex((word) => !held.has(word));
  return end < 0 ? words.length : end;
}

function wordsOf(document: Document, attribute: string): Set<string> {
  const words = wordSets.get(document) ?? new Set(String(document[attribute] ?? '').split(' '));
  wordSets.set(document, words);
  return words;
}
