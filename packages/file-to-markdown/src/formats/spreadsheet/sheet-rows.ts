import type { CellObject, WorkSheet } from '@e965/xlsx';
import type { TextBudget } from '../../text-budget.js';

/** Taller ones are decoration. */
const MAX_MERGED_ROWS = 1000;

/** A row of a sheet that is not empty. */
export interface SheetRow {
  /** From 0. */
  number: number;
  /** As they are shown, by column. */
  texts: Map<number, string>;
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
    const row = { number: Number(index), texts: new Map<number, string>(), isTextOnly: true };
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

/** A cell merged downwards stands for each of its rows. */
function fillMerged(sheet: WorkSheet, rows: Map<number, SheetRow>): void {
  for (const { s: first, e: last } of sheet['!merges'] ?? []) {
    const text = rows.get(first.r)?.texts.get(first.c);
    if (!text || first.c !== last.c || last.r - first.r > MAX_MERGED_ROWS) continue;
    for (let row = first.r + 1; row <= last.r; row++) rows.get(row)?.texts.set(first.c, text);
  }
}
