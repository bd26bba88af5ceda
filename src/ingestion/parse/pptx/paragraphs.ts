import { childElements, elementAt, textContent, type XmlElement } from '../xml-tree.js';
import { isPlaceholder, type Shape } from './shapes.js';

interface Paragraph {
  text: string;
  /** Depth of a list item, from 0. */
  level?: number;
}

/** The text of a shape: paragraphs, and each list as one block. */
export function readParagraphs(shape: Shape): string[] {
  const body = elementAt(shape.element, 'txBody');
  const isList = isPlaceholder(shape, 'body', 'obj');
  const blocks: string[] = [];
  let inList = false;
  for (const { text, level } of body ? childElements(body, 'p').map((p) => readParagraph(p, isList)) : []) {
    if (!text) continue;
    const item = level === undefined ? text : `${'  '.repeat(level)}- ${text.replace(/\s+/g, ' ')}`;
    if (level !== undefined && inList) blocks.push(`${blocks.pop()}\n${item}`);
    else blocks.push(item);
    inList = level !== undefined;
  }
  return blocks;
}

/** Runs of a paragraph; a break is a line break. Slide numbers and dates that are filled in are no text. */
export function paragraphText(paragraph: XmlElement): string {
  return childElements(paragraph)
    .map((part) => {
      if (part.name === 'br') return '\n';
      const isFilledIn = part.name === 'fld' && /^(?:slidenum|datetime)/.test(part.attributes.type ?? '');
      return isFilledIn || part.name === 'pPr' ? '' : textContent(part).replace(/\s+/g, ' ');
    })
    .join('')
    .trim();
}

function readParagraph(paragraph: XmlElement, isList: boolean): Paragraph {
  const text = paragraphText(paragraph);
  const properties = elementAt(paragraph, 'pPr');
  const marks = properties ? childElements(properties).map(({ name }) => name) : [];
  const hasBullet = marks.includes('buChar') || marks.includes('buAutoNum') || marks.includes('buBlip');
  if (!hasBullet && (!isList || marks.includes('buNone'))) return { text };
  return { text, level: Math.min(8, Number(properties?.attributes.lvl) || 0) };
}
