import { markdownTable } from '../markdown-table.js';
import { isDataAroundTables } from '../nested-tables.js';
import type { DomDocument, DomElement } from './dom.js';
import { tableGrid } from './table-grid.js';

const ADOPTING = 'data-adopting';
const STRUCTURE = 'h1, h2, h3, h4, pre, article, section';

export interface TableOptions {
  /** Whether a table may be one of data although some of its cells hold tables: web pages are laid out by such. */
  nested?: boolean;
}

/**
 * Replaces each table of data by a `<pre>` with its Markdown, marked by `attribute`. Tables that only lay out
 * a page (one column, or tables and headings inside cells) are unwrapped instead.
 */
export function tablesToMarkdown(
  document: DomDocument,
  attribute: string,
  { nested = false }: TableOptions = {},
): void {
  adoptRows(document);
  // Innermost first: a layout table is recognised before what it holds is rewritten.
  const tables = [...document.querySelectorAll('table')].reverse();
  const layout = new Set(tables.filter((table) => isLayout(table, nested)));
  for (const table of tables) {
    const outer = table.parentElement?.closest('table');
    // In a cell of a table of data, a table is text.
    if (outer && !layout.has(outer)) continue;
    if (layout.has(table)) unwrap(document, table);
    else replaceByMarkdown(document, table, attribute);
  }
}

/** Rows whose table some other end tag has closed before them get one. */
function adoptRows(document: DomDocument): void {
  for (const row of document.querySelectorAll('tr')) {
    if (/^(?:table|thead|tbody|tfoot|tr)$/.test(row.parentElement?.localName ?? '')) continue;
    let table = row.previousElementSibling;
    if (table?.localName !== 'table' || !table.hasAttribute(ADOPTING)) {
      table = document.createElement('table');
      table.setAttribute(ADOPTING, '');
      row.before(table);
    }
    table.append(row);
  }
}

function isLayout(table: DomElement, nested: boolean): boolean {
  if (table.querySelector(STRUCTURE)) return true;
  const rows = rowsOf(table).map(cellsOf);
  if (rows.every((cells) => cells.length < 2)) return true;
  if (!table.querySelector('table')) return false;
  const cells = rows.flat().map((cell) => ({
    text: cell.textContent ?? '',
    holdsTable: cell.querySelector('table') !== null,
  }));
  return !nested || !isDataAroundTables(cells);
}

function replaceByMarkdown(document: DomDocument, table: DomElement, attribute: string): void {
  const grid = tableGrid(rowsOf(table).map((row) => cellsOf(row)));
  if ((grid[0]?.length ?? 0) < 2) {
    unwrap(document, table);
    return;
  }
  const pre = document.createElement('pre');
  pre.setAttribute(attribute, '');
  pre.textContent = markdownTable(grid);
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
  for (const block of [...table.children].filter(({ localName }) => localName === 'caption'))
    table.before(block);
  for (const row of rowsOf(table)) {
    for (const cell of cellsOf(row)) {
      const block = document.createElement('div');
      block.append(...cell.childNodes);
      table.before(block);
    }
  }
  table.remove();
}

function rowsOf(table: DomElement): DomElement[] {
  return [...table.querySelectorAll('tr')].filter((row) => row.closest('table') === table);
}

function cellsOf(row: DomElement): DomElement[] {
  return [...row.children].filter(({ localName }) => localName === 'td' || localName === 'th');
}
