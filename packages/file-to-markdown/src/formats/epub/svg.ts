import { imageDescription } from '../../shared/text/image-description.js';
import {
  childElements,
  elementAt,
  parseXml,
  textContent,
  type XmlElement,
} from '../../shared/xml/xml-tree.js';

/** What a drawing is said to show, and its texts, each a line. */
export function svgLines(svg: string): string[] {
  const root = parseXml(svg);
  const lines: string[] = [];
  const open = [root];
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.name === 'text' || next.name === 'foreignObject') lines.push(textLine(next));
    else open.push(...childElements(next).reverse());
  }
  const descriptions = ['title', 'desc'].flatMap(
    (name) => imageDescription(textContent(elementAt(root, name))) ?? [],
  );
  const texts = lines.filter(Boolean);
  return [...descriptions.filter((one) => !texts.includes(one)), ...texts];
}

function textLine(element: XmlElement): string {
  return spacedText(element).replace(/\s+/g, ' ').trim();
}

/** Spans at another height are lines; those at the same one may divide a word. */
function spacedText(element: XmlElement): string {
  let height = element.attributes.y ?? '0';
  const parts = element.children.map((child) => {
    if (typeof child === 'string') return child;
    const { y = height, dy = '0' } = child.attributes;
    const isSameLine = child.name === 'tspan' && y === height && Number.parseFloat(dy) === 0;
    height = y;
    return (isSameLine ? '' : ' ') + spacedText(child);
  });
  return parts.join('');
}
