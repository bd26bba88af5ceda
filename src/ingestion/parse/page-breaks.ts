import type { ParsedPage } from './types.js';

/** Marks are non-characters, which no text holds. Here a page ends. */
export const PAGE_BREAK = '\ufdd0';
/** What follows is on a page with an odd number, or an even one. */
export const ODD_PAGE_BREAK = '\ufdd1';
export const EVEN_PAGE_BREAK = '\ufdd2';
/** A page ended here when the document was last shown; nothing new where a break was just before. */
export const RENDERED_BREAK = '\ufdd3';

const MARK = /[\ufdd0-\ufdd3]/;
const MARKS = /[\ufdd0-\ufdd3]/g;
const AT_MARK = /([\ufdd0-\ufdd3])/;
const RENDERED_AGAIN = /([\ufdd0-\ufdd2][^\p{L}\p{N}\ufdd0-\ufdd3]*)\ufdd3/gu;
/** At the edge of a line a break stands outside of heading marks, bullets and emphasis. */
const LEADING = /^([^\p{L}\p{N}\ufdd0-\ufdd3]+)([\ufdd0-\ufdd3]+)/u;
const TRAILING = /([\ufdd0-\ufdd3]+)([^\p{L}\p{N}\ufdd0-\ufdd3]+)$/u;

/** Divides Markdown with marks in it into pages. A table that goes on has its header on each page. */
export function splitAtPageBreaks(markdown: string): ParsedPage[] {
  const pages: ParsedPage[] = [];
  let number = 1;
  let page: string[] = [];
  let table: string[] = [];
  const turn = (mark = '') => {
    const text = page.join('\n').trim();
    if (text) pages.push({ number, markdown: text });
    page = [];
    number++;
    if (mark === (number % 2 === 0 ? ODD_PAGE_BREAK : EVEN_PAGE_BREAK)) number++;
  };
  for (const line of markdown.replace(RENDERED_AGAIN, '$1').split('\n')) {
    if (line.startsWith('|')) {
      const [mark] = MARK.exec(line) ?? [];
      const row = line.replaceAll(MARKS, '');
      // Every cell of the row may have the mark.
      if (mark) {
        turn(mark);
        page.push(...table.slice(0, 2));
      }
      page.push(row);
      table.push(row);
      continue;
    }
    table = [];
    for (const part of line.replace(LEADING, '$2$1').replace(TRAILING, '$2$1').split(AT_MARK)) {
      if (MARK.test(part)) turn(part);
      else page.push(part);
    }
  }
  turn();
  return pages;
}
