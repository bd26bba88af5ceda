import { posix } from 'node:path';
import { childElements, descendants, elementAt, textContent, type XmlElement } from '../xml-tree.js';
import { requirePart, type ZipParts } from '../zip-parts.js';

export interface Package {
  title?: string;
  /** The reading order. */
  spine: SpineItem[];
}

export interface SpineItem {
  /** Full name of the part. */
  path: string;
  isContents: boolean;
}

const READABLE = /^(?:application\/xhtml\+xml|text\/html|application\/x-dtbook\+xml)$/;

/** Reads the package document, which says what the book consists of. */
export async function readPackage(parts: ZipParts): Promise<Package> {
  const container = await parts.xml('META-INF/container.xml').catch(() => undefined);
  const named = elementAt(container, 'rootfiles', 'rootfile')?.attributes['full-path'];
  const path = named ?? parts.names.find((name) => name.endsWith('.opf')) ?? '';
  const root = requirePart(await parts.xml(path), 'e-book');
  const manifest = new Map(
    childrenOf(root, 'manifest', 'item').map(({ attributes }) => [attributes.id, attributes]),
  );
  const folder = posix.dirname(path);
  const contents = contentsByGuide(root).map((href) => resolve(folder, href));
  const spine = childrenOf(root, 'spine', 'itemref').flatMap(({ attributes }) => {
    const item = manifest.get(attributes.idref);
    if (!item || !READABLE.test(item['media-type'] ?? '')) return [];
    const path = resolve(folder, item.href ?? '');
    const isContents = /(?:^|\s)nav(?:\s|$)/.test(item.properties ?? '') || contents.includes(path);
    return [{ path, isContents }];
  });
  const [titleElement] = descendants(elementAt(root, 'metadata') ?? root, 'title');
  const title = textContent(titleElement).replace(/\s+/g, ' ').trim();
  return { spine, ...(title && { title }) };
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

/** The name of the part that a reference means. */
function resolve(folder: string, href: string): string {
  return posix.join(folder, decoded(href.replace(/[?#].*/s, '')));
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}
