import { checkBox } from '../../shared/text/check-box.js';
import { childElements, elementAt, textContent, type XmlElement } from '../../shared/xml/xml-tree.js';
import { isOn } from './styles.js';

/** The sign in a check box; what holds more is something else. */
const MAX_SIGN = 4;
const MAX_ELEMENTS = 100;
const MORE_THAN_SIGNS = new Set([
  'drawing',
  'pict',
  'object',
  'footnoteReference',
  'endnoteReference',
  'commentReference',
]);

/** What a content control shows that is a check box ([MS-DOCX] 2.6.1.1), from its properties; else undefined. */
export function controlText(properties: XmlElement | undefined): string | undefined {
  const box = elementAt(properties, 'checkbox');
  if (!box) return undefined;
  const checked = elementAt(box, 'checked');
  return checkBox(checked !== undefined && isOn(checked));
}

/** A content control inside of a paragraph, or a paragraph inside of one, with `shown` in place of its sign. */
export function withShown(element: XmlElement, shown: string | undefined): XmlElement {
  if (shown === undefined || !isSign(element)) return element;
  const properties = childElements(element).filter(({ name }) => name === 'pPr');
  const run = { name: 'r', attributes: {}, children: [{ name: 't', attributes: {}, children: [shown] }] };
  return { ...element, children: [...properties, run] };
}

function isSign(element: XmlElement): boolean {
  const open = [element];
  let text = '';
  let elements = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    if (++elements > MAX_ELEMENTS || MORE_THAN_SIGNS.has(next.name)) return false;
    if (next.name === 't') text += textContent(next).trim();
    if (text.length > MAX_SIGN) return false;
    for (const child of childElements(next)) open.push(child);
  }
  return true;
}
