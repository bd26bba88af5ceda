import type { TextSpan } from '../routers/index.js';

interface SpannedText {
  text: string;
  /** Where it is in all of the document's text. */
  span: TextSpan;
}

/** Pages that follow each other as one text, with the line feeds that are between them. */
export function joinPages(pages: readonly { start: number; text: string }[]): SpannedText {
  const start = pages[0]?.start ?? 0;
  const text = pages.reduce(
    (joined, page) => joined + '\n'.repeat(Math.max(0, page.start - start - joined.length)) + page.text,
    '',
  );
  return { text, span: { start, end: start + text.length } };
}

/** The characters of a text that are in a span. A character of two UTF-16 units is not cut. */
export function cutText({ text, span: { start: offset } }: SpannedText, wanted: TextSpan): SpannedText {
  const from = Math.min(Math.max(0, wanted.start - offset), text.length);
  const to = Math.min(wanted.end - offset, text.length);
  const start = isSecondHalf(text[from]) ? from - 1 : from;
  const end = isSecondHalf(text[to]) ? to + 1 : to;
  return { text: text.slice(start, end), span: { start: offset + start, end: offset + end } };
}

const isSecondHalf = (unit = '') => unit >= '\udc00' && unit <= '\udfff';
