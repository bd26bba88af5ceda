import type { Fragment } from './fragments.js';
import { type Box, cluster } from './geometry.js';
import type { JoinLines } from './join-lines.js';
import { cellTexts, type Table, type TableCells, type TableExtraction, toTable } from './table.js';

/** Lines this near meet, and edges this near are one. */
const NEAR = 3;
/** Boxes with more text than this are there for the layout. */
const MAX_MEAN_LENGTH = 200;
const MAX_LENGTH = 1500;

/** Tables with lines around their cells, and the fragments outside of them. */
export function extractRuledTables(
  fragments: readonly Fragment[],
  rules: readonly Box[],
  join: JoinLines,
): TableExtraction {
  const tables: Table[] = [];
  let rest = [...fragments];
  for (const grid of gridsOf(rules)) {
    const { cells, outside } = fillGrid(grid, rest);
    const texts = cellTexts(cells, join);
    if (!isTable(texts)) continue;
    tables.push(toTable(cells, texts));
    rest = outside;
  }
  return { tables, rest };
}

interface Grid {
  /** Edges of columns from the left, and of rows from the bottom; the outermost need not be drawn. */
  xs: number[];
  ys: number[];
  rules: Box[];
}

/** Lines that meet, as far as they part rows and columns. */
function gridsOf(rules: readonly Box[]): Grid[] {
  const grids = components(rules).map((group) => ({
    xs: cluster(
      group.flatMap(({ left, right }) => [left, right]),
      NEAR,
    ),
    ys: cluster(
      group.flatMap(({ bottom, top }) => [bottom, top]),
      NEAR,
    ),
    rules: group,
  }));
  return grids.filter(({ xs, ys }) => xs.length >= 3 && ys.length >= 3);
}

function components(rules: readonly Box[]): Box[][] {
  const groups: Box[][] = [];
  const open = new Set(rules);
  for (const rule of rules) {
    if (!open.delete(rule)) continue;
    const group = [rule];
    for (const member of group) {
      for (const other of open) {
        if (!meet(member, other)) continue;
        open.delete(other);
        group.push(other);
      }
    }
    groups.push(group);
  }
  return groups;
}

function fillGrid(grid: Grid, fragments: readonly Fragment[]): { cells: TableCells; outside: Fragment[] } {
  const cells = grid.ys.slice(1).map(() => grid.xs.slice(1).map((): Fragment[] => []));
  const outside: Fragment[] = [];
  for (const fragment of fragments) {
    const x = (fragment.left + fragment.right) / 2;
    const y = (fragment.top + fragment.bottom) / 2;
    const [row, column] = originOf(grid, bandOf(grid.ys, y), bandOf(grid.xs, x));
    const cell = cells.at(-1 - row)?.[column];
    if (row >= 0 && column >= 0 && cell) cell.push(fragment);
    else outside.push(fragment);
  }
  return { cells, outside };
}

/** The number of the band between two edges, or -1. */
function bandOf(edges: readonly number[], at: number): number {
  const next = edges.findIndex((edge) => edge > at);
  return next - (next < 0 ? 0 : 1);
}

/** The first cell of those a place belongs to: where no line parts two cells, they are one. */
function originOf({ xs, ys, rules }: Grid, row: number, column: number): [number, number] {
  if (row < 0 || column < 0) return [-1, -1];
  const middle = (edges: number[], band: number) => ((edges[band] ?? 0) + (edges[band + 1] ?? 0)) / 2;
  const [x, y] = [middle(xs, column), middle(ys, row)];
  const partsAt = (px: number, py: number) =>
    rules.some(
      ({ left, right, bottom, top }) =>
        left - NEAR < px && px < right + NEAR && bottom - NEAR < py && py < top + NEAR,
    );
  let [first, upper] = [column, row];
  while (first > 0 && !partsAt(xs[first] ?? 0, y)) first--;
  while (upper < ys.length - 2 && !partsAt(x, ys[upper + 1] ?? 0)) upper++;
  return [upper, first];
}

function isTable(texts: readonly string[][]): boolean {
  const lengths = texts.flat().flatMap(({ length }) => length || []);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const isFull = lengths.length >= 0.3 * texts.flat().length;
  const isShort = mean <= MAX_MEAN_LENGTH && lengths.every((length) => length <= MAX_LENGTH);
  return texts.length >= 2 && (texts[0]?.length ?? 0) >= 2 && isFull && isShort;
}

function meet(a: Box, b: Box): boolean {
  return (
    a.left <= b.right + NEAR &&
    b.left <= a.right + NEAR &&
    a.bottom <= b.top + NEAR &&
    b.bottom <= a.top + NEAR
  );
}
