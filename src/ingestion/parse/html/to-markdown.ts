import TurndownService from 'turndown';
import { type DomDocument, type DomElement, measure, parseDom } from './dom.js';
import { tablesToMarkdown } from './tables.js';

const MARKDOWN_TABLE = 'data-markdown-table';
/** The converter is recursive; what is nested deeper has no structure to keep, but its text is still worth having. */
const MAX_DEPTH = 256;
const converter = createConverter();

/** HTML (a fragment or a page) to Markdown: headings, lists, code, emphasis and tables; links as their text. */
export function htmlToMarkdown(html: string): string {
  return bodyToMarkdown(parseDom(`<body>${html}</body>`));
}

/** As `htmlToMarkdown`, for a parsed document, which it changes. */
export function bodyToMarkdown(document: DomDocument): string {
  if (measure(document).depth > MAX_DEPTH) return document.body.textContent ?? '';
  tablesToMarkdown(document, MARKDOWN_TABLE);
  return converter.turndown(document.body.innerHTML);
}

function createConverter(): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
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
  return service;
}
