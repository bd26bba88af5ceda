import { MAX_PAGES } from './bound-text.js';

const PAGE = '<div class="page">';

/**
 * The body of Tika's XHTML, where each page is a `div`; in one part where the format has no pages. Before the body is
 * metadata. What follows the last page, such as attachments, stays with it.
 */
export function splitAtPages(xhtml: string): string[] {
  const body = xhtml.slice(Math.max(0, xhtml.indexOf('<body')));
  const pages: string[] = [];
  let start = body.indexOf(PAGE);
  if (start < 0) return [body];
  // One beyond the most that are read says that there are too many.
  while (start >= 0 && pages.length <= MAX_PAGES) {
    const next = body.indexOf(PAGE, start + PAGE.length);
    pages.push(body.slice(start, next < 0 ? undefined : next));
    start = next;
  }
  return pages;
}
