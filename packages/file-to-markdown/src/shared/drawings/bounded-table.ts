import type { TextBudget } from '../../text-budget.js';
import { markdownTable } from '../tables/markdown-table.js';

/** What an empty cell takes. */
const CELL = 3;

/** Short rows are filled up, which can make far more of a table than there is in the file. */
export function boundedTable(rows: readonly (readonly string[])[], textBudget?: TextBudget): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  textBudget?.assertAvailable(rows.length * width * CELL);
  return markdownTable(rows);
}
