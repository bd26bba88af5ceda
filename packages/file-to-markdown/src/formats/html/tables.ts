import { markdownTable } from '../../shared/tables/markdown-table.js';
import { isDataAroundTables } from '../../shared/tables/nested-tables.js';
import { ancestorsOf } from './ancestors-of.js';
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
  const structured = ancestorsOf(document, STRUCTURE);
  const holding = ancestorsOf(document, 'table');
  const layout = new Set(tables.filter((table) => structured.has(table) || isLayout(table, holding, nested)));
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

function isLayout(table: DomElement, holding: Set<DomElement>, nested: boolean): boolean {
  const rows = rowsOf(table).map(cellsOf);
  if (rows.every((cells) => cells.length < 2)) return true;
  if (!holding.has(table)) return false;
  if (!nested) return true;
  const cells = rows.flat().map((cell) => ({
    text: cell.textContent ?? '',
    holdsTable: holding.has(cell),
  }));
  return !isDataAroundTables(cells);
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

/** Without those of tables inside. */
function rowsOf(element: DomElement, rows: DomElement[] = []): DomElement[] {
  for (const child of element.children) {
    if (child.localName === 'table') continue;
    if (child.localName === 'tr') rows.push(child);
    rowsOf(child, rows);
  }
  return rows;
}

function cellsOf(row: DomElement): DomElement[] {
  return [...row.children].filter(({ localName }) => localName === 'td' || localName === 'th');
}
