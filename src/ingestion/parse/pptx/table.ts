import { markdownTable } from '../markdown-table.js';
import { childElements, elementAt, type XmlElement } from '../xml-tree.js';
import { paragraphText } from './paragraphs.js';

/** Cells that are merged into another are there, and empty. */
export function tableToMarkdown(table: XmlElement): string {
  const rows = childElements(table, 'tr').map((row) => childElements(row, 'tc').map(cellText));
  return markdownTable(rows.filter((row) => row.some(Boolean)));
}

function cellText(cell: XmlElement): string {
  const body = elementAt(cell, 'txBody');
  return body ? childElements(body, 'p').map(paragraphText).filter(Boolean).join(' ') : '';
}
