import { SaxesParser } from 'saxes';
import { type EntryParser, MAX_URL_LENGTH, type SitemapEntries } from './sitemap-entries.js';

/** Where the addresses are: an element and the one around it, without their prefixes. */
const PAGES = new Set(['url/loc', 'item/link', 'entry/link']);
const SITEMAPS = new Set(['sitemap/loc']);
const MAX_DEPTH = 64;
const ROOTS = new Set(['urlset', 'sitemapindex', 'rss', 'RDF', 'feed']);

/** Reads a sitemap, an index of sitemaps, an RSS or Atom feed. */
export function createXmlParser(entries: SitemapEntries): EntryParser {
  const names: string[] = [];
  let root: string | undefined;
  let isTooDeep = false;
  let content = '';
  const add = (address: string) => {
    const place = names.slice(-2).join('/');
    if (PAGES.has(place)) entries.addPage(address.trim());
    else if (SITEMAPS.has(place)) entries.addSitemap(address.trim());
  };
  const addText = (part: string) => {
    // Text is cut where it is certainly too long.
    if (content.length <= MAX_URL_LENGTH) content = (content + part).trimStart().slice(0, MAX_URL_LENGTH + 1);
  };

  const parser = new SaxesParser();
  // Malformed XML does not prevent reading the rest.
  parser.on('error', () => {});
  parser.on('opentag', ({ name, attributes }) => {
    const localName = name.slice(name.indexOf(':') + 1);
    root ??= localName;
    if (names.length >= MAX_DEPTH) isTooDeep = true;
    else names.push(localName);
    content = '';
    // Atom has the address in an attribute, and several kinds of links.
    if ((attributes.rel ?? 'alternate') === 'alternate') add(attributes.href ?? '');
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    add(content);
    content = '';
    names.pop();
  });

  const isKnown = () => root !== undefined && ROOTS.has(root) && !isTooDeep;
  return {
    write: (text) => void parser.write(text),
    end: () => void parser.close(),
    isRecognized: isKnown,
    isUnsupported: () => root !== undefined && !isKnown(),
  };
}
