import { parseDom } from '../html/dom.js';
import { removeInvisible } from '../html/invisible.js';
import { extractTitles } from '../html/titles.js';
import { bodyToMarkdown } from '../html/to-markdown.js';
import type { Mail } from './mail.js';

/** HTML with so much more in it than the plain text is not the same text. */
const RICHER = 1.3;
const BLANK_LINES = /\n(?:[ \t\u00a0]*\n)+/g;
const MAX_HTML = 32 * 2 ** 20;

/** The body as Markdown: the plain text, unless the HTML says more or has tables. */
export function renderBody(mail: Mail): string {
  return pick(mail).replaceAll('\r\n', '\n').replace(BLANK_LINES, '\n\n').trim();
}

function pick({ text = '', html = '' }: Mail): string {
  if (!html.trim() || html.length > MAX_HTML) return text;
  const document = parseDom(html);
  extractTitles(document);
  removeInvisible(document);
  const markdown = bodyToMarkdown(document);
  if (!text.trim()) return markdown;
  const hasTable = /^\|(?: --- \|){2,}$/m.test(markdown);
  return hasTable || letters(markdown) > letters(text) * RICHER ? markdown : text;
}

function letters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}
