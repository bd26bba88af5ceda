import { PAGE_BREAK } from '../../shared/text/page-breaks.js';
import { childElements, type XmlElement } from '../../shared/xml/xml-tree.js';
import type { TextBudget } from '../../text-budget.js';
import type { OdtReader } from './odt-reader.js';
import { readInline } from './read-inline.js';
import { readList } from './read-list.js';
import { readTable } from './read-table.js';
import type { Styles } from './styles.js';

/** Declarations, deleted text that is kept, comments and indexes: nothing that stands on the pages as text. */
const SKIPPED = new Set([
  ...[
    'tracked-changes',
    'forms',
    'annotation',
    'annotation-end',
    'table-of-content',
    'title',
    'desc',
    'object',
  ],
  ...[
    'sequence-decls',
    'variable-decls',
    'user-field-decls',
    'image',
    'binary-data',
    'event-listeners',
    'script',
  ],
]);

/** The blocks inside an element as Markdown; page breaks are marked. */
export function readBlocks(parent: XmlElement, styles: Styles, budget: TextBudget): string[] {
  return blocksOf(parent, readerFor(styles, budget));
}

function readerFor(styles: Styles, budget: TextBudget): OdtReader {
  const reader: OdtReader = {
    styles,
    budget,
    blocks: (parent) => blocksOf(parent, reader),
    paragraph: (element) => paragraphOf(element, reader),
  };
  return reader;
}

function blocksOf(parent: XmlElement, reader: OdtReader): string[] {
  const blocks: string[] = [];
  let turnsPage = false;
  for (const element of childElements(parent)) {
    const { name, attributes } = element;
    turnsPage ||= name === 'soft-page-break' || reader.styles.breaksPage(attributes['style-name']);
    const [first, ...rest] = readBlock(element, reader).filter(Boolean);
    if (!first) continue;
    // Before the first block there is no page to end.
    blocks.push(turnsPage && blocks.length > 0 ? PAGE_BREAK + first : first, ...rest);
    turnsPage = false;
  }
  return blocks;
}

function readBlock(element: XmlElement, reader: OdtReader): string[] {
  if (SKIPPED.has(element.name)) return [];
  if (element.name === 'h' || element.name === 'p') return paragraphOf(element, reader);
  if (element.name === 'list') return readList(element, reader);
  if (element.name === 'table') return readTable(element, reader);
  return blocksOf(element, reader);
}

/** The paragraph or heading, then the notes and text boxes that hang on it. */
function paragraphOf(element: XmlElement, reader: OdtReader): string[] {
  const { text, notes, boxes } = readInline(element);
  const after = boxes.flatMap((box) => reader.blocks(box));
  for (const { mark, body } of notes) after.push(`[${mark}] ${reader.blocks(body).join(' ')}`);
  const level = element.name === 'h' ? levelOf(element) : 0;
  const marks = '#'.repeat(reader.styles.isTitle(element.attributes['style-name']) ? 1 : level);
  return [marks && text ? `${marks} ${text.replace(/\s+/g, ' ')}` : text, ...after].filter(Boolean);
}

function levelOf({ attributes }: XmlElement): number {
  return Math.min(6, Math.max(1, Math.floor(Number(attributes['outline-level'])) || 1));
}
