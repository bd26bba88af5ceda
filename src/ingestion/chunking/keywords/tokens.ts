import type { Steps } from '../../../slices.js';
import { MARKUP_PATTERN } from './markup.js';
import { segmentWords } from './segment-words.js';
import { describeWord, type Word } from './words.js';

export interface Token {
  /** As written. */
  form: string;
  word: Word;
  /** Whether only a blank, or nothing, parts it from the token before. */
  isAdjacent: boolean;
  /** Begins with a capital where a sentence does not begin. */
  isName: boolean;
  isHeading: boolean;
}

const TOKENS_OF_STEP = 200;
const LETTER =
  'A-Za-z\\u00aa-\\u00ba\\u00c0-\\u024f\\u0370-\\u0dff\\u0f00-\\u0fff\\u10a0-\\u177f\\u1e00-\\u1fff\\uac00-\\ud7a3';
const UNSPACED =
  '\\u3400-\\u9fff\\uf900-\\ufaff\\u3005\\u3040-\\u30ff\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff';
const WORD = new RegExp(
  `[${UNSPACED}]+|[${LETTER}\\d](?:[${LETTER}\\d\\u0300-\\u036f]|_(?=[${LETTER}\\d]))*(?:[-'’&][${LETTER}\\d]+)*(?:\\.(?:js|ts|NET)\\b|\\+\\+|#)?`,
  'g',
);
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}]`);
const HEADING = /\n {0,3}#{1,6} $/;

/** The words of a text, in order. Only scripts without spaces go through the segmenter, which is slow. */
export function* tokenize(markdown: string): Steps<Token[]> {
  const text = markdown.replace(MARKUP_PATTERN, ' | ');
  const runs = [...text.matchAll(WORD)];
  const segments = yield* segmentWords(runs.map(([run]) => run).filter((run) => STARTS_UNSPACED.test(run)));
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
    if (STARTS_UNSPACED.test(run)) yield* addUnspaced(tokens, segments[unspaced++] ?? [], isNext, isHeading);
    else addWord(tokens, run, isNext, isHeading);
    end = index + run.length;
    if (tokens.length >= stepEnd) {
      stepEnd = tokens.length + TOKENS_OF_STEP;
      yield;
    }
  }
  return tokens;
}

function addWord(tokens: Token[], run: string, isNext: boolean, isHeading: boolean): void {
  const form = run.endsWith("'s") || run.endsWith('’s') ? run.slice(0, -2) : run;
  const word = describeWord(form);
  tokens.push({ form, word, isAdjacent: isNext, isName: isNext && !isHeading && word.isCapital, isHeading });
}

function* addUnspaced(tokens: Token[], forms: string[], isNext: boolean, isHeading: boolean): Steps<void> {
  const follows = isNext && tokens.at(-1)?.word.isHan === true;
  for (const [index, form] of forms.entries()) {
    tokens.push({
      form,
      word: describeWord(form),
      isAdjacent: index > 0 || follows,
      isName: false,
      isHeading,
    });
    if (index % TOKENS_OF_STEP === TOKENS_OF_STEP - 1) yield;
  }
}
