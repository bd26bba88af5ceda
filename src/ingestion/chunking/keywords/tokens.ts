import type { Steps } from '../../../async/steps.js';
import { languagesOf, withEnglish } from './languages-of.js';
import { MARKUP_PATTERN } from './markup.js';
import { segmentWords } from './segment-words.js';
import { Vocabulary, type Word } from './words.js';

export interface Token {
  word: Word;
  /** Whether only a blank, or nothing, parts it from the token before. */
  isAdjacent: boolean;
  /** Begins with a capital where a sentence does not begin. */
  isName: boolean;
  isHeading: boolean;
}

const TOKENS_OF_STEP = 200;
/** Without the marks of punctuation that lie between the letters of Greek, Armenian, Hebrew, Arabic and Hindi. */
const GREEK_TO_SINHALA =
  '\\u0370-\\u037d\\u037f-\\u0386\\u0388-\\u0588\\u0591-\\u05bd\\u05c1-\\u05f2\\u0610-\\u061a\\u0620-\\u0669\\u066e-\\u06d3\\u06d5-\\u06ff\\u0710-\\u0963\\u0966-\\u0dff';
const LETTER = `A-Za-z\\u00aa-\\u00ba\\u00c0-\\u024f${GREEK_TO_SINHALA}\\u0f00-\\u0fff\\u10a0-\\u177f\\u1e00-\\u1fff\\uac00-\\ud7a3`;
const UNSPACED =
  '\\u3400-\\u9fff\\uf900-\\ufaff\\u3005\\u3040-\\u30ff\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff';
const WORD = new RegExp(
  `[${UNSPACED}]+|[${LETTER}\\d](?:[${LETTER}\\d\\u0300-\\u036f]|_(?=[${LETTER}\\d]))*(?:[-'’&][${LETTER}\\d]+)*(?:\\.(?:js|ts|NET)\\b|\\+\\+|#)?`,
  'g',
);
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}]`);
/** Thai has the lowest characters of them all. */
const FIRST_UNSPACED = 0x0e00;
const HEADING = /\n {0,3}#{1,6} $/;

/**
 * The words of a text, in order. Only scripts without spaces go through the segmenter, which is slow.
 *
 * @param languages of the text, as far as known; others are found by their grammar
 */
export function* tokenize(markdown: string, languages: readonly string[] = []): Steps<Token[]> {
  const expected = withEnglish(languages);
  const tokens = yield* readTokens(markdown, Vocabulary.of(expected));
  const found = languagesOf(tokens).filter((language) => !languages.includes(language));
  if (found.length === 0) return tokens;
  const vocabulary = Vocabulary.of(withEnglish([...languages, ...found]));
  for (const token of tokens) token.word = vocabulary.describe(token.word.form);
  return tokens;
}

function* readTokens(markdown: string, vocabulary: Vocabulary): Steps<Token[]> {
  const text = markdown.replace(MARKUP_PATTERN, ' | ');
  const runs = [...text.matchAll(WORD)];
  const segments = yield* segmentWords(runs.map(([run]) => run).filter(isUnspaced));
  const tokens: Token[] = [];
  let unspaced = 0;
  let end = 0;
  let stepEnd = TOKENS_OF_STEP;
  let isHeading = text.startsWith('#');
  for (const { 0: run, index } of runs) {
    const isSpaced = index === end + 1 && text[end] === ' ';
    if (!isSpaced && index > end) {
      const gap = text.slice(end, index);
      if (gap.includes('\n')) isHeading = HEADING.test(gap);
    }
    const isNext = isSpaced || (index === end && end > 0);
    if (isUnspaced(run)) {
      const isAdjacent = isNext && tokens.at(-1)?.word.isHan === true;
      for (const [at, form] of (segments[unspaced++] ?? []).entries()) {
        const word = vocabulary.describe(form);
        tokens.push({ word, isAdjacent: at > 0 || isAdjacent, isName: false, isHeading });
        if (at % TOKENS_OF_STEP === TOKENS_OF_STEP - 1) yield;
      }
    } else {
      const word = vocabulary.describe(withoutPossessive(run));
      tokens.push({ word, isAdjacent: isNext, isName: isNext && !isHeading && word.isCapital, isHeading });
    }
    end = index + run.length;
    if (tokens.length >= stepEnd) {
      stepEnd = tokens.length + TOKENS_OF_STEP;
      yield;
    }
  }
  return tokens;
}

const isUnspaced = (run: string): boolean => run.charCodeAt(0) >= FIRST_UNSPACED && STARTS_UNSPACED.test(run);

const withoutPossessive = (run: string): string =>
  run.endsWith("'s") || run.endsWith('’s') ? run.slice(0, -2) : run;
