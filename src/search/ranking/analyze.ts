import { nfkc } from '@lectern/file-to-markdown/nfkc';
import { Converter } from 'opencc-js/t2cn';
import { newStemmer } from 'snowball-stemmers';
import { runAtOnce, type Steps } from '../../async/steps.js';
import type { SearchLanguage } from '../chunk-index.js';
import { stopWords } from './stop-words.js';

/**
 * Increase with every change of the output of `tokenize`: stored terms of older versions are then recomputed.
 */
export const ANALYZER_VERSION = 3;

export interface Term {
  term: string;
  /** Word position, from 0. A character pair has the position of its first. */
  position: number;
}

const WORDS_OF_STEP = 500;
const MAX_TERM_LENGTH = 64;
/** Twice what a chunk may hold: in compatibility form a few characters become eighteen, and no text is of these. */
export const MAX_CHARACTERS = 65_536;
export const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts that are written without spaces, or, like Hangul, join particles to words. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
/** Of one script in a word. */
export const RUN = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu');
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');
/** Thai has the lowest characters of them all. */
const FIRST_UNSPACED = 0x0e00;
/** At least every word that has a character of these scripts in it. */
const HAS_UNSPACED = /[\u0e00-\uffff]/;
export const POSSESSIVE = /[’']s\b/g;
export const HAN = /\p{Script=Han}/u;
const ACCENTED = /[\u0300-\u036f]/g;

/** Made when it is first needed: its dictionary takes as long as a twentieth of a start. */
let converter: ReturnType<typeof Converter> | undefined;
export function toSimplified(text: string): string {
  converter ??= Converter({ from: 'tw', to: 'cn' });
  return converter(text);
}

const stemmer = newStemmer('english');
const knownWords = new Map<string, AnalyzedWord>();
const MAX_KNOWN_WORDS = 100_000;

/** A word of a script with spaces. */
interface AnalyzedWord {
  /** As it is written, without accents. */
  word: string;
  /** Its stem, which is indexed. */
  term: string;
}

/**
 * Tokenizes text into the words that are indexed: in lower case without accents, English ones stemmed (Snowball's
 * English stemmer). Chinese, Japanese, Korean and the like stay runs of characters, with Traditional characters
 * folded to simplified ones. No token contains a space.
 */
export const tokenize = (text: string): string[] => runAtOnce(tokenizeInSteps(text));

/**
 * The same in steps.
 *
 * @param words receives the words of scripts with spaces, as they are written but for case and accents, with their terms
 */
export function* tokenizeInSteps(text: string, words?: Map<string, string>): Steps<string[]> {
  const tokens: string[] = [];
  const normalized = normalize(text);
  yield;
  for (const [index, match] of (normalized.match(WORD) ?? []).entries()) {
    for (const run of HAS_UNSPACED.test(match) ? (match.match(RUN) ?? []) : [match]) {
      if (isUnspaced(run)) {
        tokens.push(run);
        continue;
      }
      const { word, term } = analyzeWord(run);
      if (term === '') continue;
      tokens.push(term);
      words?.set(word, term);
    }
    if (index % WORDS_OF_STEP === WORDS_OF_STEP - 1) yield;
  }
  return tokens;
}

/** The token of a run in normal form; empty where nothing is left of it. */
export const tokenOf = (run: string): string => (isUnspaced(run) ? run : analyzeWord(run).term);

/** A word of a text as it is compared with others: in lower case, without accents. */
export const toWord = (match: string): string => analyzeWord(match.toLowerCase()).word;

/** The term of a word in lower case. */
export const termOf = (word: string): string => analyzeWord(word).term;

/** The terms of a token: a word is one, a run of unspaced script its characters and overlapping pairs. */
export function termsOf(token: string): string[] {
  if (!isUnspaced(token)) return [token];
  const terms: string[] = [];
  let last: string | undefined;
  for (const character of token) {
    if (last !== undefined) terms.push(last, last + character);
    last = character;
  }
  if (last !== undefined) terms.push(last);
  return terms;
}

/** How many terms a token has. */
export function countTermsOf(token: string): number {
  if (!isUnspaced(token)) return 1;
  let characters = 0;
  for (const _ of token) characters++;
  return 2 * characters - 1;
}

/** The terms of a text with their positions. */
export function analyze(text: string): Term[] {
  const terms: Term[] = [];
  let position = 0;
  for (const token of tokenize(text)) {
    for (const term of termsOf(token)) {
      const isPair = isUnspaced(term) && [...term].length === 2;
      terms.push({ term, position: isPair ? position - 1 : position++ });
    }
  }
  return terms;
}

/**
 * The terms of a query without stop words; all of them if nothing else is left. Chinese stop words are
 * removed from English queries, too, since English is the default language. English ones in a Chinese query
 * may be names, such as IT and WHO.
 */
export function analyzeQuery(text: string, language: SearchLanguage): Term[] {
  const terms = analyze(normalize(text).replace(CHINESE_PHRASES, ' '));
  const meaningful = terms.filter(({ term }) => !isStopTerm(term, language));
  return meaningful.length > 0 ? meaningful : analyze(text);
}

/** Whether a query leaves a term out. */
export function isStopTerm(term: string, language: SearchLanguage): boolean {
  if (CHINESE_TERMS.has(term)) return true;
  englishTerms ??= new Set(stopWords.english.map((word) => analyzeWord(word).term));
  return language === 'english' && englishTerms.has(term);
}

/** Whether a term is of a script whose pairs `analyze` has already formed. */
export const isUnspaced = (term: string): boolean =>
  term.charCodeAt(0) >= FIRST_UNSPACED && STARTS_UNSPACED.test(term);

function normalize(text: string): string {
  const folded = nfkc(text).slice(0, MAX_CHARACTERS).toLowerCase().replace(POSSESSIVE, '');
  return HAN.test(folded) ? toSimplified(folded) : folded;
}

function analyzeWord(run: string): AnalyzedWord {
  const known = knownWords.get(run);
  if (known !== undefined) return known;
  const word = run.slice(0, MAX_TERM_LENGTH).normalize('NFD').replace(ACCENTED, '').normalize('NFC');
  const analyzed = { word: copyOf(word), term: copyOf(stemmer.stem(word)) };
  if (knownWords.size >= MAX_KNOWN_WORDS) knownWords.clear();
  if (run.length <= MAX_TERM_LENGTH) knownWords.set(copyOf(run), analyzed);
  return analyzed;
}

/** What is sliced from a text keeps all of that text in memory; a copy does not. */
export const copyOf = (text: string): string => [...text].join('');

const longestFirst = stopWords.chinese.filter(({ length }) => length > 1).sort((a, b) => b.length - a.length);
/** Cut out before characters are paired: the pairs of 什么 with its neighbours mean nothing, nor do 什 and 么 alone. */
const CHINESE_PHRASES = new RegExp(`[是在有为叫了]?(?:${longestFirst.join('|')})`, 'gu');

const CHINESE_TERMS = new Set(stopWords.chinese.filter(({ length }) => length === 1));
/** Stemmed when it is first needed. */
let englishTerms: Set<string> | undefined;
