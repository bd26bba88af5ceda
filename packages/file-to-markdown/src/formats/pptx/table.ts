import { markdownTable } from '../../shared/tables/markdown-table.js';
import { childElements, elementAt, type XmlElement } from '../../shared/xml/xml-tree.js';
import type { TextBudget } from '../../text-budget.js';
import { paragraphText } from './paragraphs.js';

/** What an empty cell takes. */
const CELL = 3;

/** Cells that are merged into another are there, and empty. */
export function tableToMarkdown(table: XmlElement, textBudget?: TextBudget): string {
  const rows = childElements(table, 'tr').map((row) => childElements(row, 'tc').map(cellText));
  return boundedTable(
    rows.filter((row) => row.some(Boolean)),
    textBudget,
  );
}

/** Short rows are filled up, which can make far more of a table than there is in the file. */
export function boundedTable(rows: readonly (readonly string[])[], textBudget?: TextBudget): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  textBudget?.assertAvailable(rows.length * width * CELL);
  return markdownTable(rows);
}

function cellText(cell: XmlElement): string {
  const body = elementAt(cell, 'txBody');
  return body ? childElements(body, 'p').map(paragraphText).filter(Boolean).join(' ') : '';
}
