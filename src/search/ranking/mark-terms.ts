import type { Steps } from '../../async/steps.js';
import { isUnspaced, RUN, tokenOf, WORD } from './analyze.js';
import { normalizeInSteps } from './normal-form.js';

/** A part of a text, in UTF-16 units; the end is behind it. */
export type Mark = [start: number, end: number];

const WORDS_OF_STEP = 500;
/** Most parts of one text. */
const MAX_MARKS = 1_000;

/**
 * Finds where a text has the terms of a query, by the analysis that indexes it. Neighbours are one mark.
 *
 * @param within how far behind the beginning of the first mark the others are looked for
 */
export function* markTermsInSteps(
  terms: ReadonlySet<string>,
  text: string,
  within = Number.POSITIVE_INFINITY,
): Steps<Mark[]> {
  const { text: normalized, starts, ends } = yield* normalizeInSteps(text);
  const marks: Mark[] = [];
  const mark = (from: number, to: number) => {
    const [start, end] = [starts[from] as number, ends[to - 1] as number];
    const last = marks.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else marks.push([start, end]);
  };
  let words = 0;
  for (const { 0: word, index } of normalized.matchAll(WORD)) {
    for (const { 0: run, index: place } of word.matchAll(RUN)) {
      const at = index + place;
      if (isUnspaced(run)) markCharacters(run, at);
      else if (terms.has(tokenOf(run))) mark(at, at + run.length);
    }
    if (marks.length > MAX_MARKS || (marks[0] && (starts[index] as number) > marks[0][0] + within)) break;
    if (++words % WORDS_OF_STEP === 0) yield;
  }
  return marks.slice(0, MAX_MARKS);

  /** Single characters and pairs are terms. */
  function markCharacters(run: string, at: number): void {
    let [before, from] = ['', at];
    for (const character of run) {
      const to = from + character.length;
      if (terms.has(before + character)) mark(from - before.length, to);
      else if (terms.has(character)) mark(from, to);
      [before, from] = [character, to];
    }
  }
}
