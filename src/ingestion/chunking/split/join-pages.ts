export interface Page {
  number: number;
  markdown: string;
}

export const PAGE_BREAK = '\n\n';
/** Between pages where a paragraph or a table goes on. */
export const LINE_JOIN = '\n';

/** Characters looked at on either side of a page's end. */
const REACH = 400;
/** A shorter last line is a title or a caption rather than a paragraph that goes on. */
const MIN_OPEN_LINE = 40;
const MIN_OPEN_LINE_UNSPACED = 15;

const UNSPACED = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]';
const ENDS_UNSPACED = new RegExp(`${UNSPACED}$`, 'u');
const STARTS_UNSPACED = new RegExp(`^${UNSPACED}`, 'u');
const ROW = /^ {0,3}\|/;
const DELIMITER_ROW = /^[\s|:]*-[\s|:-]*$/;

/** The end of a page, from which the separator to the next is chosen. */
export interface PageEnd {
  isTable: boolean;
  /** The end of its last line. */
  line: string;
}

export function pageEndOf(markdown: string): PageEnd {
  const text = markdown.trimEnd();
  const line = text.slice(text.lastIndexOf('\n') + 1);
  return { isTable: ROW.test(line), line: line.slice(-REACH) };
}

/**
 * What stands between two pages: a blank line, or a line break where a paragraph runs on - the page ends in a
 * long line without closing punctuation and the next one begins in lower case or, after Han or kana, with
 * these - and where a table does, whose header is not repeated.
 */
export function pageSeparator(before: PageEnd, after: string): string {
  const goesOn = before.isTable ? beginsWithRows(after) : runsOn(before.line, after.slice(0, REACH));
  return goesOn ? LINE_JOIN : PAGE_BREAK;
}

/** Tells where each page begins in all of them as one text. */
export class PagePlacer {
  #end = 0;
  #before: PageEnd | undefined;

  /** @returns where the page begins, and what stands before it */
  place(markdown: string): { start: number; joint: string } {
    const joint = this.#before ? pageSeparator(this.#before, markdown) : '';
    const start = this.#end + joint.length;
    this.#end = start + markdown.length;
    this.#before = pageEndOf(markdown);
    return { start, joint };
  }
}

/** All pages as the one text that the offsets of pieces count in. */
export function joinPages(pages: Iterable<Page>): string {
  const placer = new PagePlacer();
  return Array.from(pages, ({ markdown }) => placer.place(markdown).joint + markdown).join('');
}

function beginsWithRows(markdown: string): boolean {
  if (!ROW.test(markdown)) return false;
  const second = markdown.indexOf('\n') + 1;
  return second === 0 || !DELIMITER_ROW.test(lineAt(markdown, second));
}

function runsOn(line: string, after: string): boolean {
  const head = after.trimStart();
  if (/^\s*(?:[|#>]|[-*+] |```)/.test(line)) return false;
  if (ENDS_UNSPACED.test(line)) return line.length >= MIN_OPEN_LINE_UNSPACED && STARTS_UNSPACED.test(head);
  return line.length >= MIN_OPEN_LINE && /[\p{L}\p{N},;–—-]$/u.test(line) && /^\p{Ll}/u.test(head);
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return text.slice(start, end === -1 ? undefined : end).slice(0, 2000);
}
