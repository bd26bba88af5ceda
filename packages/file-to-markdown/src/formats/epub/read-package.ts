import { posix } from 'node:path';
import {
  childElements,
  descendants,
  elementAt,
  textContent,
  type XmlElement,
} from '../../shared/xml/xml-tree.js';
import { requirePart, type ZipParts } from '../../shared/zip/zip-parts.js';
import { findPart } from './find-part.js';

export interface Package {
  title?: string;
  /** The reading order, each part once. */
  spine: SpineItem[];
}

export interface SpineItem {
  /** Full name of the part. */
  path: string;
  kind: 'xhtml' | 'svg';
  isContents: boolean;
}

type Item = Record<string, string>;

const READABLE: [kind: SpineItem['kind'], mediaType: RegExp, name: RegExp][] = [
  [
    'xhtml',
    /^(?:application\/xhtml\+xml|text\/html|application\/x-dtbook\+xml|text\/x-oeb1-document)$/,
    /\.(?:xhtml?|html?)$/i,
  ],
  ['svg', /^image\/svg\+xml$/, /\.svg$/i],
];
/** What programs write where they do not know better. */
const VAGUE = /^(?:|text\/(?:xml|plain)|application\/(?:xml|octet-stream))$/;
const MAX_FALLBACKS = 20;

/** Reads the package document, which says what the book consists of. */
export async function readPackage(parts: ZipParts): Promise<Package> {
  const path = await packagePath(parts);
  const root = requirePart(await parts.xml(path), 'e-book');
  const items = childrenOf(root, 'manifest', 'item').map(({ attributes }) => attributes);
  const manifest = new Map(items.map((item) => [item.id ?? '', item]));
  const resolve = (href: string) => findPart(parts, posix.dirname(path), href);
  const contents = new Set(contentsByGuide(root).map(resolve));
  const listed = childrenOf(root, 'spine', 'itemref').map(({ attributes }) =>
    readableItem(manifest, attributes.idref ?? ''),
  );
  // A damaged book may have lost its order.
  const ordered = new Set(listed.some(Boolean) ? listed : items);
  const spine = new Map<string, SpineItem>();
  for (const item of ordered) {
    const kind = item && kindOf(item);
    if (!kind) continue;
    const path = resolve(item.href ?? '');
    const isContents = /(?:^|\s)nav(?:\s|$)/.test(item.properties ?? '') || contents.has(path);
    if (!spine.has(path)) spine.set(path, { path, kind, isContents });
  }
  // A book of one part is no table of contents, whatever its guide says.
  const [only] = spine.values();
  if (only && spine.size === 1) only.isContents = false;
  const [titleElement] = descendants(elementAt(root, 'metadata') ?? root, 'title');
  const title = textContent(titleElement).replace(/\s+/g, ' ').trim();
  return { spine: [...spine.values()], ...(title && { title }) };
}

/** The first of several packages is the book, and the others show it in other ways. */
async function packagePath(parts: ZipParts): Promise<string> {
  const container = await parts.xml('META-INF/container.xml').catch(() => undefined);
  const named = elementAt(container, 'rootfiles', 'rootfile')?.attributes['full-path'];
  if (named && parts.has(named)) return named;
  return parts.names.find((name) => /\.opf$/i.test(name)) ?? '';
}

/** An item, or what stands in for it where it is of a kind that few programs read. */
function readableItem(manifest: Map<string, Item>, id: string): Item | undefined {
  let item = manifest.get(id);
  for (let step = 0; item && !kindOf(item) && step < MAX_FALLBACKS; step++) {
    item = manifest.get(item.fallback ?? '');
  }
  return item;
}

function kindOf({ href = '', 'media-type': type = '' }: Item): SpineItem['kind'] | undefined {
  const found = READABLE.find(
    ([, mediaType, name]) => mediaType.test(type) || (VAGUE.test(type) && name.test(href)),
  );
  return found?.[0];
}

/** In EPUB 2. One with a fragment is a place inside a part that holds other text as well. */
function contentsByGuide(root: XmlElement): string[] {
  return childrenOf(root, 'guide', 'reference')
    .filter(({ attributes }) => attributes.type === 'toc' && !attributes.href?.includes('#'))
    .map(({ attributes }) => attributes.href ?? '');
}

function childrenOf(root: XmlElement, holder: string, name: string): XmlElement[] {
  const found = elementAt(root, holder);
  return found ? childElements(found, name) : [];
}
