import { Readability } from '@mozilla/readability';
import { textLength } from './boilerplate.js';
import { type DomDocument, type DomElement, measureTree, parseDom } from './dom.js';

/** An article with less of the page's text, links aside, is a wrong result. */
const MIN_SHARE = 0.4;
/** Where the article is nearly all there is, what it leaves out is more likely text than not. */
const NEARLY_ALL = 0.85;
/** On very short pages the search takes menus for the article. */
const MIN_LENGTH = 200;
/** The search takes time by the square of either. */
const MAX_DEPTH = 256;
const MAX_ELEMENTS = 20_000;

export interface MainContent {
  html: string;
  byline?: string;
}

/** The article of a page; undefined where the page as a whole is the better text, or the search fails. */
export function findMainContent(document: DomDocument): MainContent | undefined {
  const { depth, elements } = measureTree(document);
  if (depth > MAX_DEPTH || elements > MAX_ELEMENTS) return undefined;
  try {
    // The search takes its document apart.
    const copy = parseDom(`<body>${document.body.innerHTML}</body>`);
    const found = new Readability(copy as never, { keepClasses: true }).parse();
    const html = found?.content;
    if (!html || !isArticle(parseDom(`<body>${html}</body>`).body, document.body)) return undefined;
    const byline = found.byline?.replace(/\s+/g, ' ').trim();
    return { html, ...(byline && { byline }) };
  } catch {
    return undefined;
  }
}

function isArticle(found: DomElement, body: DomElement): boolean {
  const length = textLength(found);
  const all = textLength(body);
  const share = (length - linkLength(found)) / Math.max(1, all - linkLength(body));
  return length >= MIN_LENGTH && length < all * NEARLY_ALL && share >= MIN_SHARE;
}

function linkLength(element: DomElement): number {
  return [...element.querySelectorAll('a')].reduce((sum, link) => sum + textLength(link), 0);
}
