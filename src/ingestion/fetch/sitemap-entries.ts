import { SaxesParser } from 'saxes';

export interface SitemapEntries {
  pages: string[];
  /** Further files that list pages. */
  sitemaps: string[];
}

/** Where the addresses are: an element and the one around it, without their prefixes. */
const PAGES = new Set(['url/loc', 'item/link', 'entry/link']);
const SITEMAPS = new Set(['sitemap/loc']);
const PART_LENGTH = 256 * 1024;
const MAX_DEPTH = 64;
const ROOTS = new Set(['urlset', 'sitemapindex', 'rss', 'RDF', 'feed']);

/**
 * Reads a sitemap, an index of sitemaps, an RSS or Atom feed, or a plain list with an address on each line.
 *
 * @returns undefined for what is none of these
 */
export async function readEntries(text: string): Promise<SitemapEntries | undefined> {
  return text.trimStart().startsWith('<') ? readXml(text) : readLines(text);
}

function readLines(text: string): SitemapEntries | undefined {
  const pages = text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter(Boolean);
  return pages.some((page) => /^https?:\/\//i.test(page)) ? { pages, sitemaps: [] } : undefined;
}

async function readXml(text: string): Promise<SitemapEntries | undefined> {
  const entries: SitemapEntries = { pages: [], sitemaps: [] };
  const names: string[] = [];
  let root: string | undefined;
  let content = '';
  const add = (address: string | undefined) => {
    const place = names.slice(-2).join('/');
    const list = PAGES.has(place) ? entries.pages : SITEMAPS.has(place) ? entries.sitemaps : undefined;
    if (address?.trim()) list?.push(address.trim());
  };

  const parser = new SaxesParser();
  // A fault somewhere does not take away what can be read.
  parser.on('error', () => {});
  parser.on('opentag', ({ name, attributes }) => {
    const localName = name.slice(name.indexOf(':') + 1);
    root ??= localName;
    names.push(localName);
    content = '';
    // Atom has the address in an attribute, and several kinds of links.
    if ((attributes.rel ?? 'alternate') === 'alternate') add(attributes.href);
  });
  const addText = (part: string) => {
    content += part;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    add(content);
    content = '';
    names.pop();
  });
  for (let start = 0; start < text.length; start += PART_LENGTH) {
    parser.write(text.slice(start, start + PART_LENGTH));
    if (names.length > MAX_DEPTH || (root && !ROOTS.has(root))) return undefined;
    // Other work of the process runs in between.
    await new Promise(setImmediate);
  }
  parser.close();
  return root && ROOTS.has(root) ? entries : undefined;
}
