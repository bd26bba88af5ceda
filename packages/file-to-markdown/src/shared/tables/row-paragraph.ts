import { cleanText } from '../text/normalize-text.js';

/** Markdown whose lines show rows. */
export interface RowParagraph {
  text: string;
  /** The numbers of the rows, line by line; null for a line of no row, or of one that is repeated. */
  rows: (number | null)[];
}

/** A text of one row, or of none. */
export function paragraphOf(text: string, row: number | null): RowParagraph {
  const clean = cleanText(text);
  return { text: clean, rows: clean.split('\n').map(() => row) };
}
