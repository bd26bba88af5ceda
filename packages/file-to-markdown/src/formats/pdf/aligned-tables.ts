import type { Fragment } from './fragments.js';
import { type Box, boundingBox } from './geometry.js';
import type { JoinLines } from './join-lines.js';
import { cellTexts, type Table, type TableCells, type TableExtraction, toTable } from './table.js';

/** What was written in one go on one baseline. */
interface Row extends Box {
  fragments: Fragment[];
  baseline: number;
  size: number;
}

/** A column's reach across the page. */
type Span = [left: number, right: number];

/** Rows of one table are no farther apart than this, in font sizes. */
const MAX_DISTANCE = 3.5;
const MIN_GAP = 0.5;
const MIN_ROWS = 3;
/** Comparing a row with all before it takes time by the square of their number. */
const MAX_ROWS = 200;
/** Columns of longer texts are columns of prose. */
const MAX_MEAN_LENGTH = 40;
const MARKER = /^(?:[^\p{L}\p{N}]{1,2}|\(?\w{1,3}[.):]|\W*)$/u;
const NUMERIC = /^[^\p{L}\p{N}]*\p{N}[^\p{L}]*(?:\p{L}{1,3}[^\p{L}]*)?$/u;
const FORMULA = /^[=≈≤≥∝∑∏∫]/;
const LEADER = /\.{4,}|_{4,}|(?:\. ){4,}/;

/** Tables whose cells stand in line below each other, row after row, and the fragments outside of them. */
export function extractAlignedTables(
  fragments: readonly Fragment[],
  rules: readonly Box[],
  join: JoinLines,
): TableExtraction {
  const tables: Table[] = [];
  const taken = new Set<Fragment>();
  for (const rows of groupsOf(rowsOf(fragments))) {
    const columns = columnsOf(rows);
    const cells = cellsOf(rows, columns, rules);
    const texts = cellTexts(cells, join);
    if (!isTable(rows, texts, countRules(rows, rules))) continue;
    tables.push(toTable(cells, texts));
    for (const fragment of cells.flat(2)) taken.add(fragment);
  }
  return { tables, rest: fragments.filter((fragment) => !taken.has(fragment)) };
}

function rowsOf(fragments: readonly Fragment[]): Row[] {
  const rows: Row[] = [];
  for (const fragment of fragments) {
    const row = rows.at(-1);
    const last = row?.fragments.at(-1);
    const isSameRow =
      row &&
      last &&
      fragment.left > last.right &&
      Math.abs(fragment.baseline - row.baseline) < 0.3 * row.size;
    if (isSameRow) {
      row.fragments.push(fragment);
      Object.assign(row, boundingBox(row.fragments));
    } else {
      const { left, right, top, bottom, baseline, size } = fragment;
      rows.push({ left, right, top, bottom, baseline, size, fragments: [fragment] });
    }
  }
  return rows;
}

/** Runs of rows that follow each other in the stream and down the page, and share the gaps between columns. */
function groupsOf(rows: readonly Row[]): Row[][] {
  const groups: Row[][] = [];
  let group: Row[] = [];
  for (const row of rows) {
    if (!fits(group, row)) {
      groups.push(group);
      group = [];
    }
    if (group.length > 0 || isMultiple(row)) group.push(row);
  }
  groups.push(group);
  return groups.map(trim).filter(({ length }) => length > 1);
}

function fits(group: readonly Row[], row: Row): boolean {
  const last = group.at(-1);
  if (!last) return true;
  if (group.length >= MAX_ROWS) return false;
  const distance = last.baseline - row.baseline;
  // A label beside several rows stands halfway down them.
  const above = isMultiple(row) && isMultiple(last) ? 0.5 : MAX_DISTANCE;
  if (distance < -above * row.size || distance > MAX_DISTANCE * row.size) return false;
  if (row.fragments.some(({ text }) => LEADER.test(text))) return false;
  const before = columnsOf(group).length;
  const columns = columnsOf([...group, row]).length;
  if (!isMultiple(row)) return columns >= before;
  return (
    columns >= Math.max(2, row.fragments.length) ||
    (columns >= 0.7 * before && group.length > 2 && columns > 2)
  );
}

/** Lines at the end that fill one column only are text that follows, unless they go on in a later column. */
function trim(group: readonly Row[]): Row[] {
  const last = group.findLastIndex(isMultiple);
  const left = group[0]?.left ?? 0;
  const rest = group.slice(last + 1);
  const end = rest.findIndex((row, index) => {
    const above = group[last + index] ?? row;
    return row.left < left + row.size || above.baseline - row.baseline > 1.4 * row.size;
  });
  return group.slice(0, end === -1 ? group.length : last + 1 + end);
}

const isMultiple = ({ fragments }: Row) => fragments.length > 1;

function columnsOf(rows: readonly Row[]): Span[] {
  const spans: Span[] = [];
  const fragments = rows.flatMap((row) => row.fragments).sort((a, b) => a.left - b.left);
  for (const { left, right, size } of fragments) {
    const span = spans.at(-1);
    if (span && left < span[1] + MIN_GAP * size) span[1] = Math.max(span[1], right);
    else spans.push([left, right]);
  }
  return spans;
}

/**
 * A line begins a row of its own below a drawn line, with text in the first column, or with figures; else it
 * goes on in the cells above it.
 */
function cellsOf(rows: readonly Row[], columns: readonly Span[], rules: readonly Box[]): TableCells {
  const cells: Fragment[][][] = [];
  let last: Row | undefined;
  for (const row of rows.toSorted((a, b) => b.baseline - a.baseline)) {
    const isLabel = !isMultiple(row) && isFirst(row, columns) && cells.at(-1)?.[0]?.length === 0;
    const distance = last ? last.baseline - row.baseline : Infinity;
    const isBelowRule = last && hasRuleBetween(last, row, rules);
    const isBeside = distance < (isLabel ? 1 : 0.3) * row.size;
    const isOwn = isFirst(row, columns) || isBelowRule || hasFigures(row);
    if (!last || (isOwn && !isBeside)) cells.push(columns.map(() => []));
    for (const fragment of row.fragments) {
      const column = columns.findLastIndex(([left]) => left <= fragment.left + 0.1);
      cells.at(-1)?.[column]?.push(fragment);
    }
    last = row;
  }
  return cells;
}

const isFirst = ({ left }: Row, [first]: readonly Span[]) => left < (first?.[1] ?? 0);
const hasFigures = ({ fragments }: Row) =>
  fragments.length > 1 && fragments.filter(({ text }) => NUMERIC.test(text)).length * 2 >= fragments.length;

function isTable(rows: readonly Row[], texts: readonly string[][], rules: number): boolean {
  const columns = texts[0]?.length ?? 0;
  const multiple = rows.filter(isMultiple).length;
  if (columns < 2 || texts.length < 2 || multiple < (rules >= 2 ? 2 : MIN_ROWS)) return false;
  const filled = texts.flat().filter(Boolean);
  const mean = filled.reduce((sum, { length }) => sum + length, 0) / filled.length;
  const isFull = filled.length >= 0.5 * columns * texts.length;
  const isWordy = share(filled, (text) => /\p{L}{2}|\p{N}/u.test(text)) >= 0.7;
  if (filled.some((text) => FORMULA.test(text))) return false;
  if (!isFull || !isWordy || mean > MAX_MEAN_LENGTH) return false;
  if (share(column(texts, 0), (text) => MARKER.test(text)) > 0.5 && columns === 2) return false;
  return columns > 2 || rules >= 2 || share(column(texts, 1).slice(1), (text) => NUMERIC.test(text)) >= 0.6;
}

/** Drawn lines across at least two thirds of the rows' width, at the rows or close to them. */
function countRules(rows: readonly Row[], rules: readonly Box[]): number {
  const { left, right, top, bottom } = boundingBox(rows);
  const size = rows[0]?.size ?? 0;
  const lines = rules.filter(
    (rule) =>
      rule.bottom === rule.top &&
      Math.min(rule.right, right) - Math.max(rule.left, left) > 0.66 * (right - left) &&
      rule.top < top + size &&
      rule.bottom > bottom - size,
  );
  return new Set(lines.map(({ top }) => Math.round(top / 2))).size;
}

function hasRuleBetween(above: Row, below: Row, rules: readonly Box[]): boolean {
  return rules.some(
    (rule) =>
      rule.bottom === rule.top &&
      rule.top < above.baseline &&
      rule.top > below.baseline + 0.4 * below.size &&
      rule.left < below.left + below.size &&
      rule.right > below.left,
  );
}

function column(texts: readonly string[][], index: number): string[] {
  return texts.map((row) => row[index] ?? '').filter(Boolean);
}

function share(texts: readonly string[], test: (text: string) => boolean): number {
  return texts.filter(test).length / Math.max(1, texts.length);
}
