import { cutAfter, cutBefore } from '../search/cut-between-words.js';

/** A part of a text, in UTF-16 units; the end is behind it. */
type Mark = [start: number, end: number];

/**
 * The part of a text around its first mark, cut between words, with the marks in it.
 *
 * @param length in characters, about
 */
export function cutPassage(
  text: string,
  marks: readonly Mark[],
  length: number,
): { passage: string; marks: Mark[] } {
  const first = marks[0]?.[0] ?? 0;
  const from = cutBefore(text, first, Math.floor(length / 3));
  const to = cutAfter(text, from, length);
  return {
    passage: text.slice(from, to),
    marks: marks
      .filter(([start, end]) => start >= from && end <= to)
      .map(([start, end]): Mark => [start - from, end - from]),
  };
}
