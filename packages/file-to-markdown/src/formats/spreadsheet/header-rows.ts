import type { SheetRow } from './sheet-rows.js';

const MAX_HEAD_ROWS = 4;

/** The rows of a table with its header in one row, where merged cells of the header stand over cells of the next row. */
export function withOneHead(
  head: SheetRow,
  rows: readonly SheetRow[],
  columns: readonly number[],
): readonly SheetRow[] {
  const start = rows.indexOf(head);
  const lines: string[][] = [];
  for (let at = start; lines.length < MAX_HEAD_ROWS; at++) {
    const row = rows[at];
    if (!row) return rows;
    lines.push(textsOver(row, columns));
    if (!goesOn(row, rows[at + 1], rows[at + 2], columns)) break;
  }
  if (lines.length === 1) return rows;
  const texts = new Map(
    columns.map((column, index) => {
      const parts = lines.map((line) => line[index] ?? '').filter(Boolean);
      return [column, [...new Set(parts)].join(' ')];
    }),
  );
  return [...rows.slice(0, start), { ...head, texts }, ...rows.slice(start + lines.length)];
}

/**
 * Whether a row of a header goes on in the next one: below all that is merged over several columns stands something,
 * and beside it nothing new, unless all of that is text above figures.
 */
function goesOn(
  row: SheetRow,
  next: SheetRow | undefined,
  after: SheetRow | undefined,
  columns: readonly number[],
): boolean {
  if (!row.spans || !next || !after || next.number !== row.number + 1) return false;
  const firsts = spanningCells(row, columns);
  const filled = textsOver(next, columns);
  const isOverSeveral = firsts.some((first, index) => first !== undefined && first === firsts[index - 1]);
  const isFilled = firsts.every((first, index) => first === undefined || filled[index]);
  const isAlone = columns.every((column, index) => {
    const text = next.texts.get(column);
    return firsts[index] !== undefined || !text || text === row.texts.get(column);
  });
  return isOverSeveral && isFilled && (isAlone || (next.isTextOnly && !after.isTextOnly));
}

/** What a row says of each column, in its own cell or in one that is merged over it. */
function textsOver(row: SheetRow, columns: readonly number[]): string[] {
  const firsts = spanningCells(row, columns);
  return columns.map((column, index) => row.texts.get(column) ?? row.texts.get(firsts[index] ?? -1) ?? '');
}

/** For each column, the first one of the cell that is merged over it and others; else undefined. */
function spanningCells({ spans }: SheetRow, columns: readonly number[]): (number | undefined)[] {
  const sorted = [...(spans ?? [])].sort(([a], [b]) => a - b);
  let at = 0;
  return columns.map((column) => {
    while (at < sorted.length && (sorted[at]?.[1] ?? 0) < column) at++;
    const [first = Infinity] = sorted[at] ?? [];
    return first <= column ? first : undefined;
  });
}
