import type { DomElement } from './dom.js';

/** More are a mistake, or meant to be one. */
const MAX_SPAN = 100;
/** Tables with more have their spans ignored: a few of these would fill the memory. */
const MAX_CELLS = 200_000;
const MAX_HEAD_ROWS = 4;

interface Cell {
  text: string;
  isHead: boolean;
}

/**
 * Cells as rows of texts, as wide as the table is. What spans several rows stands in each of them, and a heading
 * over several columns in each of these; headings in several rows become one.
 */
export function tableGrid(rows: DomElement[][]): string[][] {
  const grid = dropEmpty(spread(rows));
  const headRows = grid.findIndex((row) => !row.every(({ isHead }) => isHead));
  const texts = grid.map((row) => row.map(({ text }) => text));
  if (headRows < 2 || headRows > MAX_HEAD_ROWS) return texts;
  const head = (texts[0] ?? []).map((_, column) => {
    const parts = texts.slice(0, headRows).map((row) => row[column] ?? '');
    return [...new Set(parts.filter(Boolean))].join(' ');
  });
  return [head, ...texts.slice(headRows)];
}

function spread(rows: DomElement[][]): Cell[][] {
  const span = withinReason(rows) ? readSpan : () => 1;
  const grid: Cell[][] = rows.map(() => []);
  rows.forEach((cells, index) => {
    const row = grid[index] as Cell[];
    let column = 0;
    for (const cell of cells) {
      while (row[column]) column++;
      const text = cellText(cell);
      const isHead = cell.localName === 'th' || cell.closest('thead') !== null;
      const width = span(cell, 'colspan');
      const height = Math.min(span(cell, 'rowspan'), rows.length - index);
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
  return grid.map((row) =>
    Array.from({ length: width }, (_, column) => row[column] ?? { text: '', isHead: true }),
  );
}

/** Without rows and columns that hold nothing; financial reports pad every figure with such columns. */
function dropEmpty(grid: Cell[][]): Cell[][] {
  const rows = grid.filter((row) => row.some(({ text }) => text));
  const used = (rows[0] ?? []).map((_, column) => rows.some((row) => row[column]?.text));
  return rows.map((row) => row.filter((_, column) => used[column]));
}

function withinReason(rows: DomElement[][]): boolean {
  const areas = rows.flat().map((cell) => readSpan(cell, 'colspan') * readSpan(cell, 'rowspan'));
  return areas.reduce((sum, area) => sum + area, 0) <= MAX_CELLS;
}

function readSpan(cell: DomElement, name: 'colspan' | 'rowspan'): number {
  const value = Number.parseInt(cell.getAttribute(name) ?? '1', 10);
  return Math.max(1, Math.min(MAX_SPAN, Number.isNaN(value) ? 1 : value));
}

/** Blocks in a cell must not run together. */
function cellText(cell: DomElement): string {
  for (const block of cell.querySelectorAll('p, div, br, li, td, th')) block.after(' ');
  return (cell.textContent ?? '').replace(/\s+/g, ' ').trim();
}
