import { newStemmer } from 'snowball-stemmers';
import { stopWords } from './keywords-stop-words.js';

/** How telling a word is, 0 to 1, by the key under which its forms are counted. */
export type WordWeights = ReadonlyMap<string, number>;

interface Token {
  /** As written. */
  form: string;
  /** What its forms have in common: the stem in lower case. */
  key: string;
  start: number;
  end: number;
}

interface Candidate {
  count: number;
  first: number;
  forms: Map<string, number>;
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
const stemmer = newStemmer('english');
const HAN = /\p{Script=Han}/u;
const LONGEST_HAN = 6;
const MERGE_ROUNDS = 2;

/**
 * The words that tell most about a text, with weights above 0 and up to 1 (the best has 1), best first. Words
 * are given in the form in which they occur most; forms of one stem count together. Chinese is cut by the
 * dictionary of ICU, and neighbours that keep occurring together become one word (`知识` + `图谱`).
 *
 * @param limit most words; default 8
 * @param weights how telling each word is, from `wordWeights`; all the same without
 */
export function keywords(text: string, limit = 8, weights?: WordWeights): Record<string, number> {
  const ranked = [...countForms(tokens(text))]
    .filter(([, { forms }]) => [...forms.keys()].some(isTelling))
    .map(([key, candidate]) => ({ ...candidate, score: score(candidate, weights?.get(key) ?? 1) }))
    .filter((candidate) => candidate.score > 0)
    .sort((a, b) => b.score - a.score || a.first - b.first)
    .slice(0, limit);
  const best = ranked[0]?.score ?? 1;
  return Object.fromEntries(
    ranked.map(({ forms, score }) => [
      commonest(forms),
      Math.max(0.01, Math.round((score / best) * 100) / 100),
    ]),
  );
}

/** Inverse document frequency over texts (e.g. a document's chunks), scaled to 0..1. */
export function wordWeights(texts: Iterable<string>): WordWeights {
  const containing = new Map<string, number>();
  let total = 0;
  for (const text of texts) {
    total++;
    for (const key of new Set(tokens(text).map((token) => token.key))) {
      containing.set(key, (containing.get(key) ?? 0) + 1);
    }
  }
  const most = Math.log(1 + total);
  return new Map([...containing].map(([key, count]) => [key, most ? Math.log(1 + total / count) / most : 1]));
}

/** Repetition tells more, but each further one less. */
function score({ count, forms }: Candidate, weight: number): number {
  const isName = [...forms.keys()].some(
    (form) => /^\p{Lu}/u.test(form) || (HAN.test(form) && form.length > 2),
  );
  return (1 + Math.log(count)) * weight * (isName ? 1.15 : 1);
}

function tokens(text: string): Token[] {
  const words: Token[] = [];
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (!isWordLike) continue;
    const form = segment.replace(/['’]s$/i, '');
    words.push({ form, key: keyOf(form), start: index, end: index + segment.length });
  }
  let merged = words;
  for (let round = 0; round < MERGE_ROUNDS; round++) merged = mergeHan(merged);
  return merged;
}

function keyOf(form: string): string {
  const folded = form.normalize('NFKC').toLowerCase();
  return /^[a-z]+$/.test(folded) && !stopWords.has(folded) ? stemmer.stem(folded) : folded;
}

/** Joins neighbouring Han words that occur together at least twice and mostly so. */
function mergeHan(words: readonly Token[]): Token[] {
  const single = new Map<string, number>();
  const pairs = new Map<string, number>();
  for (const [index, word] of words.entries()) {
    single.set(word.key, (single.get(word.key) ?? 0) + 1);
    const pair = pairOf(word, words[index + 1]);
    if (pair) pairs.set(pair.key, (pairs.get(pair.key) ?? 0) + 1);
  }
  const merged: Token[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as Token;
    const next = words[index + 1];
    const pair = pairOf(word, next);
    const together = (pair && pairs.get(pair.key)) ?? 0;
    const apart = Math.max(single.get(word.key) ?? 0, single.get(next?.key ?? '') ?? 0);
    const isOne = pair !== undefined && together >= 2 && together >= apart * 0.6;
    merged.push(isOne ? pair : word);
    if (isOne) index++;
  }
  return merged;
}

function pairOf(left: Token, right: Token | undefined): Token | undefined {
  if (!right || left.end !== right.start || left.form.length + right.form.length > LONGEST_HAN)
    return undefined;
  const fits = [left, right].every(({ form }) => HAN.test(form) && !stopWords.has(form));
  return fits
    ? { form: left.form + right.form, key: left.key + right.key, start: left.start, end: right.end }
    : undefined;
}

function countForms(words: readonly Token[]): Map<string, Candidate> {
  const candidates = new Map<string, Candidate>();
  for (const { form, key, start } of words) {
    const candidate = candidates.get(key) ?? { count: 0, first: start, forms: new Map<string, number>() };
    candidate.count++;
    candidate.forms.set(form, (candidate.forms.get(form) ?? 0) + 1);
    candidates.set(key, candidate);
  }
  return candidates;
}

/** Not grammar, begun with a letter, and long enough: three letters, two capitals or digits mixed, two Han. */
function isTelling(form: string): boolean {
  if (stopWords.has(form.toLowerCase()) || !/^\p{L}/u.test(form)) return false;
  return HAN.test(form) ? form.length >= 2 : form.length >= 3 || /^\p{Lu}[\p{Lu}\d]$/u.test(form);
}

function commonest(forms: Map<string, number>): string {
  return [...forms].reduce((most, entry) => (entry[1] > most[1] ? entry : most))[0];
}
