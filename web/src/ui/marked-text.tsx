import type { ReactElement } from 'react';

/** A part of a text, in UTF-16 units; the end is behind it. */
export type Mark = readonly [start: number, end: number];

interface MarkedTextProps {
  text: string;
  /** Beginnings and ends of what is marked, in order. */
  marks: readonly Mark[];
  /** The part that is shown; all of it if undefined. */
  part?: { start: number; end: number } | undefined;
}

/** A text, or a part of it, with what was searched marked. */
export function MarkedText({ text, marks, part = { start: 0, end: text.length } }: MarkedTextProps) {
  const pieces: ReactElement[] = [];
  let at = part.start;
  const add = (to: number, isMarked: boolean) => {
    if (to <= at) return;
    const piece = text.slice(at, to);
    pieces.push(isMarked ? <mark key={at}>{piece}</mark> : <span key={at}>{piece}</span>);
    at = to;
  };
  for (const [start, end] of marks) {
    if (start >= part.end) break;
    add(start, false);
    add(Math.min(end, part.end), true);
  }
  add(part.end, false);
  return (
    <>
      {part.start > 0 && '… '}
      {pieces}
      {part.end < text.length && ' …'}
    </>
  );
}

/** How much stands before the first mark, where a long text is cut. */
const BEFORE = 120;

/** A part of a long text: from its beginning if it has a mark there, else around the first one. */
export function chooseExcerpt(text: string, marks: readonly Mark[], length: number) {
  const first = marks[0]?.[0] ?? 0;
  const start = first < length - BEFORE ? 0 : atCharacter(text, first - BEFORE);
  return { start, end: atCharacter(text, Math.min(text.length, start + length)) };
}

/** Never between the halves of a character. */
const atCharacter = (text: string, at: number) => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at);
