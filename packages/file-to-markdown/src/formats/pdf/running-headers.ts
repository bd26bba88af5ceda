import type { Fragment } from './fragments.js';
import { groupByBaseline } from './lines.js';
import type { Layer } from './read-page.js';

/** Rows looked at from either edge. */
const ROWS = 3;
/** Share of the page's height, from either edge, in which headers and footers stand. */
const MARGIN = 0.2;
const SAME_HEIGHT = 3;
const MIN_PAGES = 3;
/** Where the title changes with the chapter, or stands on every other page, it repeats only near by. */
const NEAR = 4;
const MAX_LENGTH = 200;

/** Between titles and text, in font sizes of the title. */
const MIN_GAP = 1.5;

interface Row {
  page: number;
  baseline: number;
  fragments: Fragment[];
  /** The row next to it on the side of the text, if that is near. */
  neighbour?: Fragment[];
}

/** Takes headers, footers and page numbers out: rows in the margins that repeat on pages near by. */
export function removeRunningHeaders(pages: readonly Layer[][]): void {
  const groups = new Map<string, Row[]>();
  for (const [page, layers] of pages.entries()) {
    for (const row of layers.flatMap((layer) => rowsInMargins(layer, page))) {
      for (const key of keysOf(row)) {
        const group = groups.get(key);
        if (group) group.push(row);
        else groups.set(key, [row]);
      }
    }
  }
  const dropped = setApart([...groups.values()].flatMap(repeated));
  for (const layers of pages) {
    const kept = layers.map(({ fragments }) => fragments.filter((fragment) => !dropped.has(fragment)));
    // A page that has nothing else keeps what it has.
    if (!kept.some(({ length }) => length > 0)) continue;
    for (const [index, layer] of layers.entries()) layer.fragments = kept[index] ?? [];
  }
}

/** The fragments of rows with a gap between them and the text. */
function setApart(rows: readonly Row[]): Set<Fragment> {
  const neighbours = new Map(rows.map((row) => [row.fragments, row.neighbour]));
  const isApart = (fragments: Fragment[]): boolean => {
    const neighbour = neighbours.get(fragments);
    return neighbours.has(fragments) && (neighbour === undefined || isApart(neighbour));
  };
  return new Set([...neighbours.keys()].filter(isApart).flat());
}

/** Rows near the edges of a page, from the top down. */
function rowsInMargins({ page, fragments }: Layer, number: number): Row[] {
  const rows = groupByBaseline(fragments);
  const margin = MARGIN * (page.top - page.bottom);
  return rows.flatMap((row, index) => {
    const baseline = row[0]?.baseline ?? 0;
    const isTop = index < ROWS && baseline > page.top - margin;
    const isBottom = index >= rows.length - ROWS && baseline < page.bottom + margin;
    if (!isTop && !isBottom) return [];
    const next = rows[isTop ? index + 1 : index - 1];
    const distance = Math.abs((next?.[0]?.baseline ?? Infinity) - baseline);
    const isNear = next && distance < MIN_GAP * (row[0]?.size ?? 0);
    return { page: number, baseline, fragments: row, ...(isNear && { neighbour: next }) };
  });
}

/**
 * What the row has in common with its like on other pages: its text, or its text but for one number that
 * rises from page to page, or only such a number at one of its ends. Rows that differ in other numbers may as
 * well be rows of a table.
 */
function keysOf({ fragments, page }: Row): string[] {
  const texts = fragments.toSorted((a, b) => a.left - b.left).map(({ text }) => text.trim());
  const text = texts.join(' ').replace(/\s+/g, ' ').toLowerCase();
  if (text.length > MAX_LENGTH) return [];
  const keys = /\p{L}/u.test(text) ? [text] : [];
  for (const { 0: digits, index } of text.matchAll(/\d{1,5}|^[ivxlc]+$/g)) {
    const offset = numberOf(digits) - page;
    keys.push(`${text.slice(0, index)}{${offset}}${text.slice(index + digits.length)}`);
    if (index === 0 || index + digits.length === text.length) keys.push(`{${offset}}`);
  }
  return keys;
}

function numberOf(digits: string): number {
  if (/^\d/.test(digits)) return Number(digits);
  const values = [...digits].map((letter) => ({ i: 1, v: 5, x: 10, l: 50, c: 100 })[letter] ?? 0);
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);
}

/** Rows with enough others at their height on the pages around; `rows` are in the order of pages. */
function repeated(rows: readonly Row[]): Row[] {
  if (rows.length < MIN_PAGES) return [];
  return rows.filter((row, index) => {
    const around = rows.slice(Math.max(0, index - 2 * NEAR), index + 2 * NEAR + 1);
    const like = around.filter(
      ({ page, baseline }) =>
        Math.abs(page - row.page) <= NEAR && Math.abs(baseline - row.baseline) <= SAME_HEIGHT,
    );
    return new Set(like.map(({ page }) => page)).size >= MIN_PAGES;
  });
}
