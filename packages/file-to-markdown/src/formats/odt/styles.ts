import { childElements, elementAt, type XmlElement } from '../../shared/xml/xml-tree.js';

/** What the styles of a document say about its structure. */
export interface Styles {
  isTitle(style: string | undefined): boolean;
  breaksPage(style: string | undefined): boolean;
  isNumbered(listStyle: string | undefined, level: number): boolean;
}

/** Longer chains of parents are circles. */
const MAX_PARENTS = 20;

/** Reads the styles of the content and the named ones on which they build. */
export function readStyles(content: XmlElement, named: XmlElement | undefined): Styles {
  const holders = [
    elementAt(named, 'styles'),
    elementAt(named, 'automatic-styles'),
    elementAt(content, 'automatic-styles'),
  ];
  const all = holders.flatMap((holder) => (holder ? childElements(holder) : []));
  const styles = new Map(all.map((style) => [`${style.name} ${style.attributes.name}`, style]));

  const withParents = (name: string | undefined) => {
    const chain: XmlElement[] = [];
    let style = styles.get(`style ${name}`);
    while (style && chain.length < MAX_PARENTS) {
      chain.push(style);
      style = styles.get(`style ${style.attributes['parent-style-name']}`);
    }
    return chain;
  };
  return {
    isTitle: (name) =>
      name === 'Title' ||
      withParents(name).some((style) => style.attributes['parent-style-name'] === 'Title'),
    breaksPage: (name) =>
      withParents(name)
        .map(breakBefore)
        .find((found) => found !== undefined) === 'page',
    isNumbered: (name, level) => {
      const list = styles.get(`list-style ${name}`);
      const styleOfLevel =
        list && childElements(list).find(({ attributes }) => attributes.level === String(level));
      return styleOfLevel?.name === 'list-level-style-number' && !!styleOfLevel.attributes['num-format'];
    },
  };
}

/** `page`, another value, or undefined where the style leaves it to its parent. */
function breakBefore(style: XmlElement): string | undefined {
  if (style.attributes['master-page-name']) return 'page';
  const properties = elementAt(style, 'paragraph-properties') ?? elementAt(style, 'table-properties');
  return properties?.attributes['break-before'];
}
