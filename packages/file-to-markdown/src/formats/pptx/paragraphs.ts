import { equationText } from '../../shared/equations/office-math.js';
import { childElements, elementAt, textContent, type XmlElement } from '../../shared/xml/xml-tree.js';
import { isPlaceholder, type Shape } from './shapes.js';

interface Paragraph {
  text: string;
  /** Depth of a list item, from 0. */
  level?: number;
}

/** Fields whose text is the same on every slide, or but a number. */
const FILLED_IN = /^(?:slidenum|datetime|header|footer)/;
const EQUATIONS = ['oMath', 'oMathPara'];

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

/** Runs of a paragraph; a break is a line break. Slide numbers and dates that are filled in are no text. */
export function paragraphText(paragraph: XmlElement): string {
  return runsText(paragraph).trim();
}

function runsText(element: XmlElement): string {
  return childElements(element).map(runText).join('');
}

function runText(run: XmlElement): string {
  if (run.name === 'br') return '\n';
  if (EQUATIONS.includes(run.name)) return equationText(run);
  if (run.name === 'm') return runsText(run);
  // An equation, then what older programs show in its place.
  if (run.name === 'AlternateContent') return childElements(run).map(runsText).find(Boolean) ?? '';
  if (run.name === 'fld' && FILLED_IN.test(run.attributes.type ?? '')) return '';
  return textContent(elementAt(run, 't')).replace(/\s+/g, ' ');
}

function readParagraph(paragraph: XmlElement, isList: boolean): Paragraph {
  const text = paragraphText(paragraph);
  const properties = elementAt(paragraph, 'pPr');
  const marks = properties ? childElements(properties).map(({ name }) => name) : [];
  const hasBullet = marks.includes('buChar') || marks.includes('buAutoNum') || marks.includes('buBlip');
  if (!hasBullet && (!isList || marks.includes('buNone'))) return { text };
  return { text, level: Math.max(0, Math.min(8, Number(properties?.attributes.lvl) || 0)) };
}
