import { childElements, elementAt, type XmlElement } from '../xml-tree.js';

/** Built-in styles that mammoth leaves as paragraphs. */
const BUILT_IN = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];
/** Longer chains of styles are circles. */
const MAX_PARENTS = 20;

/**
 * Style mappings for mammoth, which knows headings by the English names of their styles: those whose name is
 * their own, and those built on a heading, are known by their outline level.
 */
export function headingStyleMappings(styles: XmlElement | undefined): string[] {
  const all = styles
    ? childElements(styles, 'style').filter(({ attributes }) => attributes.type === 'paragraph')
    : [];
  const byId = new Map(all.map((style) => [style.attributes.styleId, style]));
  const found = all.flatMap((style) => {
    const name = elementAt(style, 'name')?.attributes.val;
    const level = levelOf(style, byId);
    return name && level !== undefined && !/^(?:title|subtitle)$/i.test(name) ? [mapping(name, level)] : [];
  });
  return [...BUILT_IN, ...found];
}

/** From 0; undefined for body text. */
function levelOf(style: XmlElement, byId: Map<string | undefined, XmlElement>): number | undefined {
  let next: XmlElement | undefined = style;
  for (let parents = 0; next && parents < MAX_PARENTS; parents++) {
    const outline = elementAt(next, 'pPr', 'outlineLvl')?.attributes.val;
    if (outline !== undefined) return /^[0-8]$/.test(outline) ? Number(outline) : undefined;
    next = byId.get(elementAt(next, 'basedOn')?.attributes.val);
  }
  return undefined;
}

function mapping(name: string, level: number): string {
  const quoted = name.replace(/[\\']/g, '\\$&');
  return `p[style-name='${quoted}'] => h${Math.min(6, level + 1)}:fresh`;
}
