import { markdownTable } from '../../shared/tables/markdown-table.js';
import { isDataAroundTables } from '../../shared/tables/nested-tables.js';
import type { Block } from './block.js';

export interface TableCell {
  blocks: Block[];
  /** Notes and the like that the cell refers to. */
  notes: Block[];
  span: number;
  /** Whether it goes on with the cell above. */
  isContinued: boolean;
  holdsTable: boolean;
}

export interface TableRow {
  cells: TableCell[];
  /** Columns before the first cell. */
  skipped: number;
  isHead: boolean;
}

interface GridCell {
  text: string;
  isHead: boolean;
}

/** Word itself has no more columns; a cell may span no more. */
export const MAX_SPAN = 63;
/** Of a table with more cells most of which are only there to fill it up, rows are written one by one. */
const MAX_PADDED = 200_000;
/** What spans rows stands in each of them, unless it is too long for a label. */
const MAX_REPEATED = 1000;
const MAX_HEAD_ROWS = 4;
const MARK = /[\ufdd0-\ufdd3]/;
const MARKS = /[\ufdd0-\ufdd3]/g;

/**
 * A table of data, or the blocks of its cells where it only lays out a page: one column, many tables inside, or
 * sections with headings of their own.
 *
 * @param assertAvailable called with the size of a table before it is built
 */
export function tableBlocks(rows: TableRow[], assertAvailable: (characters: number) => void): Block[] {
  const cells = rows.flatMap((row) => row.cells);
  const inner = () => cells.flatMap(({ blocks, notes }) => [...blocks, ...notes]);
  if (rows.every((row) => row.cells.length < 2) || cells.some(isSection)) return inner();
  if (cells.some(({ holdsTable }) => holdsTable)) {
    const outer = cells.map((cell) => ({ text: cellText(cell), holdsTable: cell.holdsTable }));
    if (!isDataAroundTables(outer)) return inner();
  }
  const spans =
    rows.reduce((sum, { skipped }) => sum + skipped, 0) + cells.reduce((sum, { span }) => sum + span, 0);
  const most = MAX_PADDED + 4 * cells.length;
  const cellRows = spread(spans <= most ? rows : withoutSpans(rows));
  const columns = cellRows.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (columns * rows.length > most) return rows.flatMap(rowBlocks);
  const grid = mergeHead(dropEmpty(cellRows, columns));
  if ((grid[0]?.length ?? 0) < 2) return inner();
  const size = grid.reduce((sum, row) => sum + row.reduce((length, text) => length + text.length + 3, 2), 0);
  assertAvailable(size);
  const text = grid.map((row) => row.filter(Boolean).join(' ')).join(' ');
  return [{ markdown: markdownTable(grid), text }, ...cells.flatMap(({ notes }) => notes)];
}

function rowBlocks({ cells }: TableRow): Block[] {
  const text = cells.map(cellText).filter(Boolean).join(' | ');
  return [...(text ? [{ markdown: text, text }] : []), ...cells.flatMap(({ notes }) => notes)];
}

/** A heading with text below it; one by itself is only set in the type of a heading. */
function isSection({ blocks }: TableCell): boolean {
  return blocks.length > 1 && blocks.some(({ isHeading }) => isHeading);
}

function cellText({ blocks }: TableCell): string {
  return blocks
    .map(({ text }) => text)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function spread(rows: TableRow[]): GridCell[][] {
  let above: GridCell[] = [];
  return rows.map(({ cells, skipped, isHead }) => {
    const row: GridCell[] = [];
    for (let column = 0; column < skipped; column++) row.push({ text: '', isHead });
    for (const cell of cells) {
      const own = cellText(cell);
      const text = (cell.isContinued && !own && repeatable(above[row.length]?.text)) || own;
      row.push({ text, isHead });
      // A text over several columns of figures stands once: repeated, it would look like figures.
      const beside = isHead ? repeatable(text) : '';
      for (let x = 1; x < cell.span; x++) row.push({ text: beside, isHead });
    }
    above = row;
    return row;
  });
}

function withoutSpans(rows: TableRow[]): TableRow[] {
  return rows.map((row) => ({ ...row, skipped: 0, cells: row.cells.map((cell) => ({ ...cell, span: 1 })) }));
}

function repeatable(text = ''): string {
  return text.length <= MAX_REPEATED ? text.replace(MARKS, '') : '';
}

/** Without rows and columns that hold nothing; a page that ends at such a row ends before the next one. */
function dropEmpty(grid: GridCell[][], columns: number): GridCell[][] {
  const used: boolean[] = [];
  let mark = '';
  const rows = grid.filter((row) => {
    const [first] = row;
    if (!row.some(({ text }) => text.replace(MARKS, '').trim())) {
      mark ||= row.map(({ text }) => MARK.exec(text)?.[0]).find(Boolean) ?? '';
      return false;
    }
    if (first) first.text = mark + first.text;
    mark = '';
    for (const [column, { text }] of row.entries()) used[column] ||= text !== '';
    return true;
  });
  const empty: GridCell = { text: '', isHead: true };
  return rows.map((row) =>
    Array.from({ length: columns }, (_, column) => row[column] ?? empty).filter((_, column) => used[column]),
  );
}

/** Headings in several rows become one. */
function mergeHead(grid: GridCell[][]): string[][] {
  const texts = grid.map((row) => row.map(({ text }) => text));
  const headRows = grid.findIndex((row) => !row.every(({ isHead }) => isHead));
  if (headRows < 2 || headRows > MAX_HEAD_ROWS) return texts;
  const head = (texts[0] ?? []).map((_, column) => {
    const parts = texts.slice(0, headRows).map((row) => row[column] ?? '');
    return [...new Set(parts.filter(Boolean))].join(' ');
  });
  return [head, ...texts.slice(headRows)];
}
