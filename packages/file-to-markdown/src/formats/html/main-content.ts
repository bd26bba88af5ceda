import { Readability } from '@mozilla/readability';
import { linkLength, textLength } from './boilerplate.js';
import { cleanArticle } from './clean-article.js';
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

/**
 * The article of a page; undefined where the page as a whole is the better text, or the search fails.
 *
 * @param page.isArticle whether it says that it is one
 */
export function findMainContent(
  document: DomDocument,
  { isArticle, ...about }: { isArticle: boolean; heading?: string; site?: string },
): MainContent | undefined {
  const { depth, elements } = measureTree(document);
  if (depth > MAX_DEPTH || elements > MAX_ELEMENTS) return undefined;
  try {
    // The search takes its document apart.
    const copy = parseDom(`<body>${document.body.innerHTML}</body>`);
    const found = new Readability(copy as never, { keepClasses: true }).parse();
    const html = found?.content;
    if (!html) return undefined;
    const { body } = parseDom(`<body>${html}</body>`);
    if (textLength(body) < MIN_LENGTH) return undefined;
    if (!isArticle && !isMostOf(document.body, body)) return undefined;
    if (isArticle) cleanArticle(body, about);
    const byline = found.byline?.replace(/\s+/g, ' ').trim();
    return { html: body.innerHTML, ...(byline && { byline }) };
  } catch {
    return undefined;
  }
}

/** Whether an article is most of the page's text, and not nearly all. */
function isMostOf(page: DomElement, article: DomElement): boolean {
  const length = textLength(article);
  const all = textLength(page);
  const share = (length - linkLength(article)) / Math.max(1, all - linkLength(page));
  return length < all * NEARLY_ALL && share >= MIN_SHARE;
}
