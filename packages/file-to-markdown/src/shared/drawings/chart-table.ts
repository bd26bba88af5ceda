import type { TextBudget } from '../../text-budget.js';
import { descendants, elementAt, textContent, type XmlElement } from '../xml/xml-tree.js';
import { boundedTable } from './bounded-table.js';
import { paragraphText } from './paragraph-text.js';

/** Points of a chart by their index. */
export interface Column {
  name: string;
  points: Map<number, string>;
}

export interface TableLimits {
  textBudget?: TextBudget | undefined;
  /** Of more rows only the names of the columns are written; default: no limit. */
  maxRows?: number;
}

/** Columns beside each other, without the rows in which all are empty. */
export function columnsToMarkdown(
  columns: Column[],
  { textBudget, maxRows = Infinity }: TableLimits = {},
): string {
  const indexes = new Set<number>();
  for (const { points } of columns) for (const index of points.keys()) indexes.add(index);
  if (indexes.size === 0) return '';
  if (indexes.size > maxRows)
    return columns
      .map(({ name }) => name)
      .filter(Boolean)
      .join(', ');
  textBudget?.assertAvailable(indexes.size * columns.length);
  const rows = [...indexes]
    .sort((a, b) => a - b)
    .map((index) => columns.map(({ points }) => points.get(index) ?? ''));
  return boundedTable([columns.map(({ name }) => name), ...rows], textBudget);
}

/** The points below an element, as the program last took them from the sheet behind the chart. */
export function pointsOf(
  holder: XmlElement,
  read: (point: XmlElement) => string = (point) => textContent(elementAt(point, 'v')),
): Map<number, string> {
  const points = new Map<number, string>();
  for (const point of descendants(holder, 'pt')) {
    const text = read(point).replace(/\s+/g, ' ').trim();
    if (text) points.set(Number(point.attributes.idx ?? points.size), text);
  }
  return points;
}

/** A title, written there or taken from the sheet. */
export function titleOf(title: XmlElement | undefined): string {
  if (!title) return '';
  const written = [...descendants(title, 'p')].map(paragraphText).filter(Boolean);
  const taken = [...descendants(title, 'v')].map((value) => textContent(value).trim());
  return (written.length > 0 ? written : taken).join(' ').replace(/\s+/g, ' ').trim();
}
