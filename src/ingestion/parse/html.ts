import { Readability } from '@mozilla/readability';
import { type DomDocument, measure, parseDom } from './html/dom.js';
import { bodyToMarkdown, htmlToMarkdown } from './html/to-markdown.js';
import { corrupt, ParseError } from './parse-error.js';
import { onePage, readText } from './text.js';
import type { Parsed, ParseInput } from './types.js';

const MAX_CHARACTERS = 32 * 2 ** 20;
/** An article with less text than this share of the body is a guess that missed. */
const MIN_SHARE = 0.25;
/** On very short pages the search takes menus for the article. */
const MIN_LENGTH = 200;
/** The search takes time by the square of either. */
const MAX_DEPTH = 256;
const MAX_ELEMENTS = 20_000;
const INVISIBLE =
  'script, style, noscript, template, svg, iframe, object, canvas, [hidden], [aria-hidden="true"]';
const AROUND =
  'nav, header, footer, aside, form, dialog, [role="navigation"], [role="banner"], [role="contentinfo"]';

/** Web pages: the main content where one can be told from menus and the like, else the whole body. */
export async function parseHtml(input: ParseInput): Promise<Parsed> {
  const text = await readText(input);
  if (text.length > MAX_CHARACTERS) {
    throw new ParseError(
      'too_large',
      'The page is larger than 32 million characters; split it into smaller ones.',
    );
  }
  const document = parseDocument(text);
  const title = takeTitle(document);
  for (const element of document.querySelectorAll(INVISIBLE)) element.remove();
  const article = mainContent(text, document);
  if (article) return onePage(withTitle(htmlToMarkdown(article), title), title);
  removeSurroundings(document);
  return onePage(bodyToMarkdown(document), title);
}

/** Out of the document, too: where the tags of head and body are left out, it would stand in the text. */
function takeTitle(document: DomDocument): string | undefined {
  const element = document.querySelector('title');
  element?.remove();
  return element?.textContent?.replace(/\s+/g, ' ').trim();
}

function parseDocument(text: string): DomDocument {
  try {
    return parseDom(text);
  } catch (error) {
    throw corrupt('web page', error);
  }
}

/** The article's HTML; undefined where there is none or the search fails on odd markup. */
function mainContent(text: string, document: DomDocument): string | undefined {
  const { depth, elements } = measure(document);
  if (depth > MAX_DEPTH || elements > MAX_ELEMENTS) return undefined;
  try {
    // Readability takes its document apart, and the body may still be needed.
    const article = new Readability(parseDocument(text) as never).parse();
    const found = article?.textContent?.replace(/\s+/g, '').length ?? 0;
    const all = document.body.textContent?.replace(/\s+/g, '').length ?? 0;
    return found >= MIN_LENGTH && found >= all * MIN_SHARE ? (article?.content ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}

/** Readability drops the page's own heading when it repeats the title. */
function withTitle(markdown: string, title: string | undefined): string {
  return !title || /^# /m.test(markdown) ? markdown : `# ${title}\n\n${markdown}`;
}

function removeSurroundings(document: DomDocument): void {
  const around = [...document.querySelectorAll(AROUND)];
  const kept = document.body.textContent?.trim().length ?? 0;
  const length = around.reduce((sum, element) => sum + (element.textContent?.trim().length ?? 0), 0);
  // A page that is all `<header>` or `<form>` has no surroundings.
  if (length < kept * (1 - MIN_SHARE)) for (const element of around) element.remove();
}
