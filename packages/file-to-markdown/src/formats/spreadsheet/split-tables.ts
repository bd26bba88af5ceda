import { ParseError } from '../../errors.js';
import type { NumberedRow } from '../../shared/tables/row-groups.js';
import { withOneHead } from './header-rows.js';
import type { SheetRow } from './sheet-rows.js';

/** Far more than a sheet of any use has; cells that are scattered over a sheet would fill a table with blanks. */
const MAX_CELLS = 20_000_000;

interface Table {
  /** The names of the columns; a text has none. */
  head: SheetRow | undefined;
  /** All of them, with the titles above the head. */
  rows: SheetRow[];
  columns: Set<number>;
}

/**
 * The tables of a sheet: rows of the same width, without empty columns, and with the titles above them. Titles and
 * notes that belong to no table have one column. Blank rows part tables, but also the rows of a table: a new one
 * begins where the row behind them reads as a header.
 */
export function splitTables(rows: SheetRow[]): NumberedRow[][] {
  const tables: Table[] = [];
  let titles: SheetRow[] = [];
  for (const block of blocksOf(rows)) {
    const head = block.find(({ texts }) => texts.size > 1);
    if (!head && block.every(({ isTextOnly }) => isTextOnly)) {
      for (const row of block) titles.push(row);
      continue;
    }
    const last = tables.at(-1);
    const table = last && !beginsTable(head, block, last) ? last : newTable(head);
    if (table !== last) tables.push(table);
    for (const row of titles) addRow(table, row);
    for (const row of block) addRow(table, row);
    titles = [];
  }
  if (titles.length > 0) tables.push({ ...newTable(undefined), rows: titles });
  return tables.map((table) => inColumns(table));
}

function newTable(head: SheetRow | undefined): Table {
  return { head, rows: [], columns: new Set() };
}

function addRow(table: Table, row: SheetRow): void {
  table.rows.push(row);
  for (const column of row.texts.keys()) table.columns.add(column);
}

function blocksOf(rows: SheetRow[]): SheetRow[][] {
  const blocks: SheetRow[][] = [];
  rows.forEach((row, index) => {
    if (row.number - 1 === rows[index - 1]?.number) blocks.at(-1)?.push(row);
    else blocks.push([row]);
  });
  return blocks;
}

function beginsTable(head: SheetRow | undefined, block: SheetRow[], table: Table): boolean {
  if (!head) return false;
  if (!table.head) return true;
  // Rows that stand apart from their header.
  if (!head.isTextOnly || table.rows.at(-1) === table.head) return false;
  if (isSame(head, table.head)) return true;
  const hasOthers = block.some(({ texts }) => [...texts.keys()].some((column) => !table.columns.has(column)));
  return hasOthers || block.slice(block.indexOf(head) + 1).some(({ isTextOnly }) => !isTextOnly);
}

function isSame({ texts }: SheetRow, other: SheetRow): boolean {
  return (
    texts.size === other.texts.size && [...texts].every(([column, text]) => other.texts.get(column) === text)
  );
}

function inColumns({ head, rows, ...table }: Table): NumberedRow[] {
  if (!head) return rows.map((row) => numbered(row, [...row.texts.values()]));
  const columns = [...table.columns].sort((a, b) => a - b);
  if (columns.length * rows.length > MAX_CELLS) throw tooWide();
  return withOneHead(head, rows, columns).map((row) =>
    numbered(
      row,
      columns.map((column) => row.texts.get(column) ?? ''),
    ),
  );
}

const numbered = ({ number }: SheetRow, cells: string[]): NumberedRow => ({ cells, number: number + 1 });

function tooWide(): ParseError {
  const message = 'The cells of a sheet are scattered too far; put them together, or save the sheet as CSV.';
  return new ParseError('too_large', message);
}
