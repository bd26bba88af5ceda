import type { Fragment } from './fragments.js';
import { rowsOf } from './lines.js';
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

interface Row {
  page: number;
  baseline: number;
  fragments: Fragment[];
}

/** Takes headers, footers and page numbers out: rows in the margins that repeat on pages near by. */
export function dropRunningTitles(pages: readonly Layer[][]): void {
  const groups = new Map<string, Row[]>();
  for (const [page, [layer]] of pages.entries()) {
    for (const row of layer ? rowsInMargins(layer, page) : []) {
      for (const key of keysOf(row)) {
        const group = groups.get(key);
        if (group) group.push(row);
        else groups.set(key, [row]);
      }
    }
  }
  const dropped = new Set([...groups.values()].flatMap(repeated).flatMap(({ fragments }) => fragments));
  for (const [layer] of pages) {
    const kept = layer?.fragments.filter((fragment) => !dropped.has(fragment));
    // A page that has nothing else keeps what it has.
    if (layer && kept?.length) layer.fragments = kept;
  }
}

function rowsInMargins({ page, fragments }: Layer, number: number): Row[] {
  const height = page.top - page.bottom;
  const isAbove = ({ baseline }: Fragment) => baseline > page.top - MARGIN * height;
  const isBelow = ({ baseline }: Fragment) => baseline < page.bottom + MARGIN * height;
  const top = rowsOf(fragments.filter(isAbove)).slice(0, ROWS);
  const bottom = rowsOf(fragments.filter(isBelow)).slice(-ROWS);
  return [...top, ...bottom].map((row) => ({
    page: number,
    baseline: row[0]?.baseline ?? 0,
    fragments: row,
  }));
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
