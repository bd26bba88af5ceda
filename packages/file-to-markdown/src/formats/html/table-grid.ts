import { cellText } from './cell-text.js';
import type { DomElement } from './dom.js';

/** More are a mistake, or meant to be one. */
const MAX_SPAN = 100;
/** Tables with more have their spans ignored: a few of these would fill the memory. */
const MAX_CELLS = 200_000;
/** Characters that spans may repeat. */
const MAX_REPEATED = 200_000;
/** Rows of larger tables stay as short as they are. */
const MAX_FILLED = 1_000_000;
const MAX_HEAD_ROWS = 4;

interface Cell {
  text: string;
  isHead: boolean;
}

interface SpanningCell extends Cell {
  width: number;
  height: number;
}

const EMPTY: Cell = { text: '', isHead: true };

/**
 * Cells as rows of texts, as wide as the table is unless that is very large. What spans several rows stands in each of them, and a heading
 * over several columns in each of these; headings in several rows become one.
 */
export function tableGrid(rows: DomElement[][]): string[][] {
  const grid = dropEmpty(spread(rows));
  const headRows = grid.findIndex((row) => !row.every(({ isHead }) => isHead));
  const texts = grid.map((row) => row.map(({ text }) => text));
  if (headRows < 2 || headRows > MAX_HEAD_ROWS) return texts;
  const heads = texts.slice(0, headRows);
  const width = heads.reduce((most, row) => Math.max(most, row.length), 0);
  const head = Array.from({ length: width }, (_, column) => {
    const parts = heads.map((row) => row[column] ?? '');
    return [...new Set(parts.filter(Boolean))].join(' ');
  });
  return [head, ...texts.slice(headRows)];
}

function spread(table: DomElement[][]): Cell[][] {
  const rows = table.map((cells) => cells.map(readCell));
  const isWithinReason = repeatsLittle(rows);
  const grid: Cell[][] = rows.map(() => []);
  rows.forEach((cells, index) => {
    const row = grid[index] as Cell[];
    let column = 0;
    for (const { text, isHead, ...spans } of cells) {
      while (row[column]) column++;
      const width = isWithinReason ? spans.width : 1;
      const height = isWithinReason ? Math.min(spans.height, rows.length - index) : 1;
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          // A text over several columns of figures stands once: repeated, it would look like figures.
          (grid[index + y] as Cell[])[column + x] = { text: x === 0 || isHead ? text : '', isHead };
        }
      }
      column += width;
    }
  });
  const width = grid.reduce((most, row) => Math.max(most, row.length), 0);
  const isFilled = width * grid.length <= MAX_FILLED;
  return grid.map((row) =>
    Array.from({ length: isFilled ? width : row.length }, (_, column) => row[column] ?? EMPTY),
  );
}

function readCell(cell: DomElement): SpanningCell {
  return {
    text: cellText(cell),
    isHead: cell.localName === 'th' || cell.closest('thead') !== null,
    width: readSpan(cell, 'colspan'),
    height: readSpan(cell, 'rowspan'),
  };
}

function repeatsLittle(rows: SpanningCell[][]): boolean {
  const cells = rows.flat();
  const area = cells.reduce((sum, { width, height }) => sum + width * height, 0);
  const repeated = cells.reduce((sum, { text, isHead, width, height }) => {
    return sum + text.length * ((isHead ? width : 1) * Math.min(height, rows.length) - 1);
  }, 0);
  return area <= MAX_CELLS && repeated <= MAX_REPEATED;
}

/** Without rows and columns that hold nothing; financial reports pad every figure with such columns. */
function dropEmpty(grid: Cell[][]): Cell[][] {
  const rows = grid.filter((row) => row.some(({ text }) => text));
  const used = new Set<number>();
  for (const row of rows) for (const [column, { text }] of row.entries()) if (text) used.add(column);
  return rows.map((row) => row.filter((_, column) => used.has(column)));
}

function readSpan(cell: DomElement, name: 'colspan' | 'rowspan'): number {
  const value = Number.parseInt(cell.getAttribute(name) ?? '1', 10);
  return Math.max(1, Math.min(MAX_SPAN, Number.isNaN(value) ? 1 : value));
}
