import { SaxesParser } from 'saxes';
import { corruptFileError, tooComplexError } from '../../errors.js';
import { attributeName, localName } from './xml-names.js';

/** An element of the XML in an office file; names are without their prefix, which each program may choose. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: (XmlElement | string)[];
}

/** What walks the tree is recursive. */
const MAX_DEPTH = 400;
const MAX_ELEMENTS = 4_000_000;

/**
 * Reads XML into a tree. Faults that leave a tree are forgiven: the text is what counts. Entities that the
 * document declares itself are never expanded.
 *
 * @throws ParseError `corrupt` where no element stands, `too_large`
 */
export function parseXml(text: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [] };
  const open = [root];
  let elements = 0;
  const parser = new SaxesParser();
  parser.on('error', () => {});
  parser.on('opentag', ({ name, attributes }) => {
    if (++elements > MAX_ELEMENTS || open.length > MAX_DEPTH) throw tooComplexError();
    const element = { name: localName(name), attributes: localNames(attributes), children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => {
    if (open.length > 1) open.pop();
  });
  const addText = (content: string) => {
    // What stands outside of the root element is white space, or damage.
    if (open.length > 1) open.at(-1)?.children.push(content);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write(text).close();
  const first = childElements(root)[0];
  if (!first) throw corruptFileError('file');
  return first;
}

export function childElements(element: XmlElement, name?: string): XmlElement[] {
  return element.children.filter(
    (child): child is XmlElement => typeof child !== 'string' && (!name || child.name === name),
  );
}

/** The first descendant along a path of names. */
export function elementAt(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  return path.reduce((found, name) => found && childElements(found, name)[0], element);
}

/** Descendants of a name, in order; nothing is sought inside one that is found. */
export function* descendants(element: XmlElement, name: string): Generator<XmlElement> {
  for (const child of childElements(element)) {
    if (child.name === name) yield child;
    else yield* descendants(child, name);
  }
}

export function textContent(element: XmlElement | undefined): string {
  if (!element) return '';
  return element.children.map((child) => (typeof child === 'string' ? child : textContent(child))).join('');
}

function localNames(attributes: Record<string, string>): Record<string, string> {
  const renamed: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    renamed[attributeName(name)] = value;
  }
  return renamed;
}
