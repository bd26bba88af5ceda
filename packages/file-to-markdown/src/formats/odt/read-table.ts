import { markdownTable } from '../../shared/tables/markdown-table.js';
import { isDataAroundTables } from '../../shared/tables/nested-tables.js';
import { PAGE_BREAK } from '../../shared/text/page-breaks.js';
import { childElements, descendants, type XmlElement } from '../../shared/xml/xml-tree.js';
import type { OdtReader } from './odt-reader.js';

/** A repetition is a way to write equal cells; a large one is a sheet's unused rest. */
const MAX_REPEATED = 50;
const TABLE_MARKS = /\n\|(?: --- \|)+|(?<!\\)\|/g;

interface Cell {
  blocks: string[];
  holdsTable: boolean;
  repeated: number;
}

/** A table, or the blocks of its cells where it only lays out a page: one column, or many tables inside. */
export function readTable(table: XmlElement, reader: OdtReader): string[] {
  const rows = rowsOf(table).map(({ row, turnsPage }) => {
    const cells = cellsOf(row, reader);
    if (turnsPage && cells[0]) cells[0].blocks[0] = PAGE_BREAK + (cells[0].blocks[0] ?? '');
    return { cells, repeated: repeatedOf(row, 'number-rows-repeated') };
  });
  const isLayout = rows.every(({ cells }) => cells.length < 2) || !isData(rows.flatMap(({ cells }) => cells));
  if (isLayout) return rows.flatMap(({ cells }) => cells.flatMap(({ blocks }) => blocks));
  let characters = 0;
  const texts = rows.flatMap(({ cells, repeated }) => {
    const row = cells.flatMap((cell) => Array<string>(cell.repeated).fill(cellText(cell)));
    if (!row.some(Boolean)) return [];
    characters += repeated * row.reduce((sum, text) => sum + text.length, 0);
    // A few bytes repeat a long text thousands of times.
    reader.budget.assertAvailable(characters);
    return Array<string[]>(repeated).fill(row);
  });
  return [markdownTable(texts)];
}

/** Rows also out of header rows and groups, with whether a page ends before them. */
function rowsOf(parent: XmlElement): { row: XmlElement; turnsPage: boolean }[] {
  let turnsPage = false;
  return childElements(parent).flatMap((element) => {
    if (element.name === 'soft-page-break') turnsPage = true;
    if (/^table-(?:header-rows|rows|row-group)$/.test(element.name)) return rowsOf(element);
    if (element.name !== 'table-row') return [];
    const row = { row: element, turnsPage };
    turnsPage = false;
    return [row];
  });
}

/** Cells under a merged one are there, and empty. */
function cellsOf(row: XmlElement, reader: OdtReader): Cell[] {
  return childElements(row)
    .filter(({ name }) => name === 'table-cell' || name === 'covered-table-cell')
    .map((cell) => {
      const blocks = cell.name === 'table-cell' ? reader.blocks(cell) : [];
      const holdsTable = !descendants(cell, 'table').next().done;
      return { blocks, holdsTable, repeated: repeatedOf(cell, 'number-columns-repeated') };
    });
}

function repeatedOf({ attributes }: XmlElement, name: string): number {
  return Math.min(MAX_REPEATED, Math.max(1, Number(attributes[name]) || 1));
}

function isData(cells: readonly Cell[]): boolean {
  return isDataAroundTables(cells.map((cell) => ({ ...cell, text: cellText(cell) })));
}

function cellText({ blocks, holdsTable }: Cell): string {
  const text = blocks.map((block) => block.replace(/^#+ /, '')).join(' ');
  return holdsTable ? text.replace(TABLE_MARKS, ' ') : text;
}
