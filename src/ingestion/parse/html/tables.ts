import { markdownTable } from '../markdown-table.js';
import type { DomDocument, DomElement } from './dom.js';

/**
 * Replaces each table of data by a `<pre>` with its Markdown, marked by `attribute`. Tables that only lay out
 * a page (one column, or tables and headings inside cells) are unwrapped instead.
 */
export function tablesToMarkdown(document: DomDocument, attribute: string): void {
  // Innermost first: a layout table is recognised before what it holds is rewritten.
  const tables = [...document.querySelectorAll('table')].reverse();
  const layout = new Set(tables.filter(isLayout));
  for (const table of tables) {
    if (layout.has(table)) unwrap(document, table);
    else replaceByMarkdown(document, table, attribute);
  }
}

function isLayout(table: DomElement): boolean {
  if (table.querySelector('table, h1, h2, h3, h4, pre, article, section')) return true;
  return rowsOf(table).every((row) => cellsOf(row).length < 2);
}

function replaceByMarkdown(document: DomDocument, table: DomElement, attribute: string): void {
  const rows = rowsOf(table).map((row) => cellsOf(row).map(cellText));
  const filled = dropEmptyColumns(rows.filter((row) => row.some(Boolean)));
  const pre = document.createElement('pre');
  pre.setAttribute(attribute, '');
  pre.textContent = markdownTable(filled);
  const caption = table.querySelector('caption')?.textContent?.trim();
  if (caption) {
    const paragraph = document.createElement('p');
    paragraph.textContent = caption;
    table.before(paragraph);
  }
  table.replaceWith(pre);
}

/** Cells become blocks, in their order. */
function unwrap(document: DomDocument, table: DomElement): void {
  for (const row of rowsOf(table)) {
    for (const cell of cellsOf(row)) {
      const block = document.createElement('div');
      block.append(...cell.childNodes);
      table.before(block);
    }
  }
  table.remove();
}

/** Tables in financial reports pad every figure with columns that hold nothing. */
function dropEmptyColumns(rows: string[][]): string[][] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const used = Array.from({ length: width }, (_, column) => rows.some((row) => row[column]));
  return rows.map((row) => row.filter((_, column) => used[column]));
}

function rowsOf(table: DomElement): DomElement[] {
  return [...table.querySelectorAll('tr')].filter((row) => row.closest('table') === table);
}

function cellsOf(row: DomElement): DomElement[] {
  return [...row.children].filter(({ localName }) => localName === 'td' || localName === 'th');
}

/** Blocks in a cell must not run together. */
function cellText(cell: DomElement): string {
  for (const block of cell.querySelectorAll('p, div, br, li')) block.after(' ');
  return (cell.textContent ?? '').replace(/\s+/g, ' ').trim();
}
