import { boundedTable } from '../../shared/drawings/bounded-table.js';
import { paragraphText } from '../../shared/drawings/paragraph-text.js';
import { childElements, elementAt, type XmlElement } from '../../shared/xml/xml-tree.js';
import type { TextBudget } from '../../text-budget.js';

/** Cells that are merged into another are there, and empty. */
export function tableToMarkdown(table: XmlElement, textBudget?: TextBudget): string {
  const rows = childElements(table, 'tr').map((row) => childElements(row, 'tc').map(cellText));
  return boundedTable(
    rows.filter((row) => row.some(Boolean)),
    textBudget,
  );
}

function cellText(cell: XmlElement): string {
  const body = elementAt(cell, 'txBody');
  return body ? childElements(body, 'p').map(paragraphText).filter(Boolean).join(' ') : '';
}
