import { htmlToMarkdown } from '../html/to-markdown.js';
import { removeElements } from './remove-elements.js';

/** Elements that are empty in HTML, too. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;
const SELF_CLOSED = /<([a-z][\w:-]*)((?:\s[^<>]*?)?)\/>/gi;
const INVISIBLE = ['script', 'style', 'svg', 'template'] as const;
const CDATA = /<!\[CDATA\[|\]\]>/g;

/** A part of a book as Markdown. It is XML, and read as HTML `<a/>` and `<title/>` would never end. */
export function xhtmlToMarkdown(xhtml: string): string {
  const html = xhtml
    .replace(SELF_CLOSED, (tag, name: string, attributes: string) =>
      VOID.test(name) ? tag : `<${name}${attributes}></${name}>`,
    )
    .replace(CDATA, '');
  return htmlToMarkdown(removeElements(bodyOf(html), INVISIBLE)).trim();
}

function bodyOf(html: string): string {
  const opening = /<body\b[^<>]*>/i.exec(html);
  if (!opening) return removeElements(html, ['head']);
  const start = opening.index + opening[0].length;
  const end = html.toLowerCase().lastIndexOf('</body');
  return html.slice(start, end > start ? end : undefined);
}
