import type { ReactElement } from 'react';

/** A part of a text, in UTF-16 units; the end is behind it. */
export type Mark = readonly [start: number, end: number];

interface MarkedTextProps {
  text: string;
  /** Beginnings and ends of what is marked, in order. */
  marks: readonly Mark[];
  /** Where the text begins in what the marks are of. */
  start?: number;
}

/** A text with what was searched marked. */
export function MarkedText({ text, marks, start: offset = 0 }: MarkedTextProps) {
  const pieces: ReactElement[] = [];
  let at = 0;
  const add = (to: number, isMarked: boolean) => {
    if (to <= at) return;
    const piece = text.slice(at, to);
    pieces.push(isMarked ? <mark key={at}>{piece}</mark> : <span key={at}>{piece}</span>);
    at = to;
  };
  for (const [start, end] of marks) {
    if (start - offset >= text.length) break;
    add(start - offset, false);
    add(Math.min(end - offset, text.length), true);
  }
  add(text.length, false);
  return <>{pieces}</>;
}
