import { markdownTable } from '../../shared/tables/markdown-table.js';
import { normalizeGlyphText } from '../../shared/text/normalize-text.js';
import type { Fragment } from './fragments.js';
import { type Box, boundingBox } from './geometry.js';
import type { JoinLines } from './join-lines.js';
import { toLines } from './lines.js';

/** A table taken out of a page's text. */
export interface Table extends Box {
  markdown: string;
  /** Place in the order of the content stream. */
  order: number;
}

/** What a way of finding tables found, and the fragments it left. */
export interface TableExtraction {
  tables: Table[];
  rest: Fragment[];
}

export type TableCells = readonly (readonly Fragment[][])[];

export function toTable(cells: TableCells, texts: readonly string[][]): Table {
  const fragments = cells.flat(2);
  const turned = fragments.filter(({ rtl }) => rtl);
  // The first column of a table from right to left is the last from the left.
  const rows = lengthOf(turned) * 2 > lengthOf(fragments.filter(hasLetters)) ? texts.map(reversed) : texts;
  return {
    ...boundingBox(fragments),
    markdown: markdownTable(rows),
    order: fragments.reduce((least, { order }) => Math.min(least, order), Infinity),
  };
}

const reversed = (row: readonly string[]): string[] => row.toReversed();
const hasLetters = ({ text }: Fragment): boolean => /\p{L}/u.test(text);
const lengthOf = (fragments: readonly Fragment[]): number =>
  fragments.reduce((sum, { text }) => sum + text.length, 0);

/** The text of each cell; rows and columns without any are left out. */
export function cellTexts(cells: TableCells, join: JoinLines): string[][] {
  const texts = cells
    .map((row) => row.map((cell) => cellText(cell, join)))
    .filter((row) => row.some(Boolean));
  const width = texts.reduce((most, row) => Math.max(most, row.length), 0);
  const used = Array.from({ length: width }, (_, column) => texts.some((row) => row[column]));
  return texts.map((row) => row.filter((_, column) => used[column]));
}

function cellText(fragments: readonly Fragment[], join: JoinLines): string {
  const text = toLines(fragments).reduce((above, line) => join(above, line.text), '');
  return normalizeGlyphText(text).trim();
}
