import type { ParsedPage } from './types.js';

/** A page ends here. Both marks are non-characters, which no text holds. */
export const PAGE_BREAK = '\uffff';
/** A page ended here when the document was last shown; nothing new where a break was just before. */
export const RENDERED_BREAK = '\ufffe';

const MARKS = /[\ufffe\uffff]/g;
const RENDERED_AGAIN = /([\ufffe\uffff][^\p{L}\p{N}\ufffe\uffff]*)\ufffe+/gu;
/** At the edge of a line a break stands outside of heading marks, bullets and emphasis. */
const LEADING = /^([^\p{L}\p{N}\ufffe\uffff]+)([\ufffe\uffff]+)/u;
const TRAILING = /([\ufffe\uffff]+)([^\p{L}\p{N}\ufffe\uffff]+)$/u;

/** Divides Markdown with marks in it into pages. A table that goes on has its header on each page. */
export function splitAtPageBreaks(markdown: string): ParsedPage[] {
  const pages: ParsedPage[] = [];
  let number = 1;
  let page: string[] = [];
  let table: string[] = [];
  const turn = () => {
    const text = page.join('\n').trim();
    if (text) pages.push({ number, markdown: text });
    page = [];
    number++;
  };
  for (const line of markdown.replace(RENDERED_AGAIN, '$1').split('\n')) {
    if (line.startsWith('|')) {
      const row = line.replace(MARKS, '');
      // Within a row every cell has the mark.
      if (row !== line) {
        turn();
        page.push(...table.slice(0, 2));
      }
      page.push(row);
      table.push(row);
      continue;
    }
    table = [];
    const [first = '', ...rest] = line.replace(LEADING, '$2$1').replace(TRAILING, '$2$1').split(MARKS);
    page.push(first);
    for (const part of rest) {
      turn();
      page.push(part);
    }
  }
  turn();
  return pages;
}
