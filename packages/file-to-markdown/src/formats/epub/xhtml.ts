import { mathText } from '../../shared/equations/mathml.js';
import { type DomDocument, parseDom } from '../html/dom.js';
import { markPictures } from '../html/mark-pictures.js';
import { bodyToMarkdown } from '../html/to-markdown.js';
import { describeImages } from './images.js';
import { removeElements, replaceElements } from './remove-elements.js';
import { svgLines } from './svg.js';

/** Elements that are empty in HTML, too. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;
const SELF_CLOSED = /<([a-z][\w:-]*)((?:\s[^<>]*?)?)\/>/gi;
const SVG_IMAGE = /<(?:svg:)?image\b[^<>]*>/gi;
const HREF = /\bhref\s{0,9}=\s{0,9}["']([^"'<>]*)["']/i;
const INVISIBLE = ['script', 'style', 'template'] as const;
const CDATA = /<!\[CDATA\[|\]\]>/g;
/** Numbers of printed pages stand between words, and what is said where a film cannot be shown is no text. */
const UNPRINTED = [
  '[hidden]',
  '[epub\\:type~="pagebreak"]',
  '[role~="doc-pagebreak"]',
  'nav[epub\\:type~="landmarks"]',
  'nav[epub\\:type~="page-list"]',
  'epub\\:case',
  'audio',
  'video',
].join(', ');

export interface ChapterOptions {
  /** Whether this is the table of contents, of which only what stands around the lists is wanted. */
  isContents?: boolean;
  /** Descriptions of images that have been written. */
  descriptions?: Set<string>;
  /** What stands for an image, by its source; empty where it is not read. */
  markOf?: (source: string) => Promise<string>;
}

/** A part of a book as Markdown. It is XML, and read as HTML `<a/>` and `<title/>` would never end. */
export async function xhtmlToMarkdown(
  xhtml: string,
  { isContents = false, descriptions = new Set(), markOf }: ChapterOptions = {},
): Promise<string> {
  const drawn = replaceElements(
    bodyOf(xhtml),
    'svg',
    (svg) => svgToHtml(svg) + (markOf ? imagesIn(svg) : ''),
  );
  const html = drawn
    .replace(SELF_CLOSED, (tag, name: string, attributes: string) =>
      VOID.test(name) ? tag : `<${name}${attributes}></${name}>`,
    )
    .replace(CDATA, '');
  const document = parseDom(`<body>${removeElements(html, INVISIBLE)}</body>`);
  for (const element of document.querySelectorAll(UNPRINTED)) element.remove();
  if (isContents && !hasTextBesideContents(document)) return '';
  for (const math of document.querySelectorAll('math, m\\:math, mml\\:math')) {
    math.replaceWith(mathText(math));
  }
  if (markOf) await markPictures(document, markOf);
  describeImages(document, descriptions);
  return bodyToMarkdown(document).trim();
}

/** Takes the contents out. A heading alone is theirs. */
function hasTextBesideContents(document: DomDocument): boolean {
  const isNav = document.querySelector('nav') !== null;
  for (const nav of document.querySelectorAll('nav')) nav.remove();
  const headings = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')];
  const length = headings.reduce((sum, { textContent }) => sum + (textContent?.trim().length ?? 0), 0);
  const rest = document.body.textContent?.replace(/\s+/g, '') ?? '';
  return isNav && rest.length > length;
}

function svgToHtml(svg: string): string {
  // Most are shapes alone.
  if (!/<(?:[\w-]+:)?(?:text|foreignObject|title|desc)\b/.test(svg)) return '';
  try {
    const lines = svgLines(svg).map(escapeHtml);
    return lines.length > 0 ? `<p>${lines.join('<br/>')}</p>` : '';
  } catch {
    return '';
  }
}

/** Covers and scanned pages are often images in a drawing. */
function imagesIn(svg: string): string {
  const sources = [...svg.matchAll(SVG_IMAGE)].flatMap(([tag]) => HREF.exec(tag)?.[1] ?? []);
  return sources.map((source) => `<p><img src="${source}"/></p>`).join('');
}

function bodyOf(html: string): string {
  const opening = /<body\b[^<>]*>/i.exec(html);
  if (!opening) return removeElements(html, ['head']);
  const start = opening.index + opening[0].length;
  const end = html.toLowerCase().lastIndexOf('</body');
  return html.slice(start, end > start ? end : undefined);
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
