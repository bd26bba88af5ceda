import TurndownService from 'turndown';
import { checkBoxText } from './check-boxes.js';
import { normalizeCodeBlocks } from './code-blocks.js';
import { type DomDocument, type DomElement, measureTree, parseDom } from './dom.js';
import { type TableOptions, tablesToMarkdown } from './tables.js';

const MARKDOWN_TABLE = 'data-markdown-table';
/** The converter is recursive; what is nested deeper has no structure to keep, but its text is still worth having. */
const MAX_DEPTH = 256;
/** How characters are read, between those characters: written out, it would part the words that are searched. */
const RUBY = 'rt, rp, rtc';
const NO_BREAK_SPACE = /\u00a0|&nbsp;|&#160;/g;
/** Two in a row end a paragraph. */
const LINE_BREAKS = /(?:<br\s*\/?>\s*){2,}/g;
/** Outside of code there are none to keep, and in code hardly ever. */
const BLANK_LINES = /\n(?:[ \t]*\n){2,}/g;
const converter = createConverter();

/** HTML (a fragment or a page) to Markdown: headings, lists, code, emphasis and tables; links as their text. */
export function htmlToMarkdown(html: string, options?: TableOptions): string {
  return bodyToMarkdown(parseDom(/<body[\s>]/i.test(html) ? html : `<body>${html}</body>`), options);
}

/** As `htmlToMarkdown`, for a parsed document, which it changes. */
export function bodyToMarkdown(document: DomDocument, options?: TableOptions): string {
  if (measureTree(document).depth > MAX_DEPTH) return document.body.textContent ?? '';
  prepareDocument(document, options);
  const html = document.body.innerHTML.replace(NO_BREAK_SPACE, ' ').replace(LINE_BREAKS, '<p></p>');
  return converter.turndown(html).replace(BLANK_LINES, '\n\n');
}

/** Gives tables and code a form that the converter, and a search for the main content, leave as it is. */
export function prepareDocument(document: DomDocument, options?: TableOptions): void {
  for (const reading of document.querySelectorAll(RUBY)) reading.remove();
  for (const input of document.querySelectorAll('input')) {
    const box = checkBoxText(input);
    if (box !== undefined) input.replaceWith(box);
  }
  normalizeCodeBlocks(document, MARKDOWN_TABLE);
  tablesToMarkdown(document, MARKDOWN_TABLE, options);
  for (const heading of document.querySelectorAll('h1, h2, h3, h4, h5, h6')) straighten(heading);
}

/** A heading is one line, and bold anyway. */
function straighten(heading: DomElement): void {
  for (const part of heading.querySelectorAll('br, b, strong')) {
    if (part.localName === 'br') part.replaceWith(' ');
    else part.replaceWith(...part.childNodes);
  }
}

function createConverter(): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    br: '',
  });
  // The Markdown is searched and read, not rendered: backslashes would only keep `snake_case` from being found.
  service.escape = (text) => text;
  service.addRule('table', {
    filter: (node) => node.nodeName === 'PRE' && node.hasAttribute(MARKDOWN_TABLE),
    replacement: (_, node) => `\n\n${node.textContent}\n\n`,
  });
  service.addRule('link', { filter: 'a', replacement: (content) => content });
  service.addRule('image', {
    filter: 'img',
    replacement: (_, node) => (node as unknown as DomElement).getAttribute('alt') ?? '',
  });
  service.addRule('term', { filter: 'dt', replacement: (content) => `\n\n**${content.trim()}**\n` });
  service.addRule('definition', { filter: 'dd', replacement: (content) => `${content.trim()}\n` });
  return service;
}
