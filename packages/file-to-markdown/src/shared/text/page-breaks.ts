import { firstHeading } from '../../formats/text/parse-text.js';
import type { ParsedPage, ParserResult } from '../../types.js';

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
const TRAILING = /(?<![\ufdd0-\ufdd3])([\ufdd0-\ufdd3]+)([^\p{L}\p{N}\ufdd0-\ufdd3]+)$/u;

/** Characters after which a page is emitted in parts. */
const STRETCH = 64 * 1024;

/** A document with marks in its Markdown; where nothing names it, its first heading does. */
export function toPagedDocument(markdown: string, named?: string): ParserResult & { pages: ParsedPage[] } {
  const pages = splitAtPageBreaks(markdown);
  const title = named || pages.map((page) => firstHeading(page.markdown)).find(Boolean);
  return { pages, ...(title && { title }) };
}

/** A table that goes on has its header on each page. */
function splitAtPageBreaks(markdown: string): ParsedPage[] {
  const pages = new PageCollector();
  let table: string[] = [];
  // A long header on thousands of pages would be far more than the document.
  let repeatable = markdown.length;
  for (const line of markdown.replace(RENDERED_AGAIN, '$1').split('\n')) {
    if (line.startsWith('|')) {
      const [mark] = MARK.exec(line) ?? [];
      const row = line.replaceAll(MARKS, '');
      // Every cell of the row may have the mark.
      if (mark) {
        const head = table.slice(0, 2);
        repeatable -= head.join('\n').length;
        pages.next(mark, repeatable > 0 ? head : []);
      }
      pages.add(row);
      table.push(row);
      continue;
    }
    table = [];
    for (const part of line.replace(LEADING, '$2$1').replace(TRAILING, '$2$1').split(AT_MARK)) {
      if (MARK.test(part)) pages.next(part);
      else pages.add(part);
    }
  }
  return pages.finish();
}

class PageCollector {
  readonly #pages: ParsedPage[] = [];
  #number = 1;
  #lines: string[] = [];
  #size = 0;

  add(line: string): void {
    if (line === '' && this.#size > STRETCH) this.#close();
    this.#lines.push(line);
    this.#size += line.length;
  }

  /** Ends the page; the next one begins with what is repeated. */
  next(mark: string, repeated: string[] = []): void {
    this.#close();
    this.#number++;
    const isEven = this.#number % 2 === 0;
    if (mark === (isEven ? ODD_PAGE_BREAK : EVEN_PAGE_BREAK)) this.#number++;
    this.#lines.push(...repeated);
  }

  finish(): ParsedPage[] {
    this.#close();
    return this.#pages;
  }

  #close(): void {
    const markdown = this.#lines.join('\n').trim();
    if (markdown) this.#pages.push({ number: this.#number, markdown });
    this.#lines = [];
    this.#size = 0;
  }
}
