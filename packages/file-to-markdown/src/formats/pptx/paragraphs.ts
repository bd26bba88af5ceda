import { paragraphText } from '../../shared/drawings/paragraph-text.js';
import { childElements, elementAt, type XmlElement } from '../../shared/xml/xml-tree.js';
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
  let items: string[] = [];
  const endList = () => {
    if (items.length > 0) blocks.push(items.join('\n'));
    items = [];
  };
  for (const paragraph of body ? childElements(body, 'p') : []) {
    const { text, level } = readParagraph(paragraph, isList);
    if (!text) continue;
    if (level !== undefined) {
      items.push(`${'  '.repeat(level)}- ${text.replace(/\s+/g, ' ')}`);
      continue;
    }
    endList();
    blocks.push(text);
  }
  endList();
  return blocks;
}

function readParagraph(paragraph: XmlElement, isList: boolean): Paragraph {
  const text = paragraphText(paragraph);
  const properties = elementAt(paragraph, 'pPr');
  const marks = properties ? childElements(properties).map(({ name }) => name) : [];
  const hasBullet = marks.includes('buChar') || marks.includes('buAutoNum') || marks.includes('buBlip');
  if (!hasBullet && (!isList || marks.includes('buNone'))) return { text };
  return { text, level: Math.max(0, Math.min(8, Number(properties?.attributes.lvl) || 0)) };
}
