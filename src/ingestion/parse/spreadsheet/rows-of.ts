import type { CellObject, WorkSheet } from '@e965/xlsx';
import { ParseError } from '../parse-error.js';

/** Far more than a sheet of any use has; cells that are scattered over a sheet would fill a table with blanks. */
const MAX_CELLS = 20_000_000;
/** Taller ones are decoration. */
const MAX_MERGED_ROWS = 1000;

/** Texts of a row's cells, by column. */
type Texts = Map<number, string>;

/** The rows of a sheet, all of the same width, without empty rows and columns. */
export function rowsOf(sheet: WorkSheet): string[][] {
  const texts = textsOf(sheet);
  fillMerged(sheet, texts);
  const columns = [...new Set([...texts.values()].flatMap((row) => [...row.keys()]))].sort((a, b) => a - b);
  if (columns.length * texts.size > MAX_CELLS) throw tooWide();
  return [...texts.values()].map((row) => columns.map((column) => row.get(column) ?? ''));
}

/** By row. Goes by the cells that there are: the range a sheet declares may be all of its million rows. */
function textsOf(sheet: WorkSheet): Map<number, Texts> {
  const rows: (CellObject | undefined)[][] = sheet['!data'] ?? [];
  const found = new Map<number, Texts>();
  for (const index of Object.keys(rows)) {
    const cells = rows[Number(index)] ?? [];
    const texts: Texts = new Map();
    for (const column of Object.keys(cells)) {
      const text = textOf(cells[Number(column)]);
      if (text) texts.set(Number(column), text);
    }
    if (texts.size > 0) found.set(Number(index), texts);
  }
  return found;
}

/** As it is shown, in its number format. */
function textOf(cell: CellObject | undefined): string {
  if (!cell || cell.t === 'z') return '';
  return (cell.w ?? String(cell.v ?? '')).trim();
}

/** A cell merged downwards stands for each of its rows. */
function fillMerged(sheet: WorkSheet, texts: Map<number, Texts>): void {
  for (const { s: first, e: last } of sheet['!merges'] ?? []) {
    const text = texts.get(first.r)?.get(first.c);
    if (!text || first.c !== last.c || last.r - first.r > MAX_MERGED_ROWS) continue;
    for (let row = first.r + 1; row <= last.r; row++) texts.get(row)?.set(first.c, text);
  }
}

function tooWide(): ParseError {
  const message = 'The cells of a sheet are scattered too far; put them together, or save the sheet as CSV.';
  return new ParseError('too_large', message);
}
