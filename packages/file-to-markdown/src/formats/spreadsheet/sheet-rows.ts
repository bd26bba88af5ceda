import type { CellObject, WorkSheet } from '@e965/xlsx';
import type { TextBudget } from '../../text-budget.js';

/** Taller ones are decoration. */
const MAX_MERGED_ROWS = 1000;
/** A longer text over several columns is no label of rows. */
const MAX_LABEL = 200;

/** A row of a sheet that is not empty. */
export interface SheetRow {
  /** From 0. */
  number: number;
  /** As they are shown, by column. */
  texts: Map<number, string>;
  /** Last columns of cells merged over several, by their first. */
  spans?: Map<number, number>;
  /** Whether there are no numbers, dates and the like in it. */
  isTextOnly: boolean;
}

/**
 * Goes by the cells that there are: the range a sheet declares may be all of its million rows.
 *
 * @throws IngestionError `too_much_text`: a workbook keeps once what thousands of its cells show
 */
export function readSheetRows(sheet: WorkSheet, budget?: TextBudget): SheetRow[] {
  const data: (CellObject | undefined)[][] = sheet['!data'] ?? [];
  const rows = new Map<number, SheetRow>();
  let characters = 0;
  for (const index of Object.keys(data)) {
    const row: SheetRow = { number: Number(index), texts: new Map(), isTextOnly: true };
    const cells = data[row.number] ?? [];
    for (const column of Object.keys(cells)) {
      const cell = cells[Number(column)];
      const text = textOf(cell);
      if (!text) continue;
      characters += text.length;
      budget?.assertAvailable(characters);
      row.texts.set(Number(column), text);
      row.isTextOnly &&= cell?.t === 's' && /\p{L}/u.test(text);
    }
    if (row.texts.size > 0) rows.set(row.number, row);
  }
  fillMerged(sheet, rows);
  return [...rows.values()];
}

/** As it is shown, in its number format. */
function textOf(cell: CellObject | undefined): string {
  if (!cell || cell.t === 'z') return '';
  return (cell.w ?? String(cell.v ?? '')).trim();
}

/**
 * A cell merged downwards stands for each of its rows, in its first column: a row that stands alone in a chunk has its
 * category with it. Over how many columns a cell goes counts in a header only; in a title, it makes no columns.
 */
function fillMerged(sheet: WorkSheet, rows: Map<number, SheetRow>): void {
  for (const { s: first, e: last } of sheet['!merges'] ?? []) {
    const text = rows.get(first.r)?.texts.get(first.c);
    if (!text || last.r - first.r > MAX_MERGED_ROWS) continue;
    const isLabel = last.c === first.c || text.length <= MAX_LABEL;
    for (let number = first.r; number <= last.r; number++) {
      const row = rows.get(number);
      if (!row) continue;
      if (isLabel) row.texts.set(first.c, text);
      if (last.c === first.c) continue;
      row.spans ??= new Map();
      row.spans.set(first.c, last.c);
    }
  }
}
