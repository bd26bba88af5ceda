import { ByteView } from './byte-view.js';
import { PROPERTY, paragraphChanges, propertyChanges } from './properties.js';
import { positionsOf, type WordFile } from './word-file.js';

/** Properties of the text at some bytes of the document. */
export interface ParagraphProperties {
  start: number;
  end: number;
  style: number;
  outlineLevel?: number;
  isInTable: boolean;
  isRowEnd: boolean;
}

export interface ByteRange {
  start: number;
  end: number;
}

const PAGE_BYTES = 512;
const COUNT_AT = 511;
const PARAGRAPH_ENTRY_BYTES = 13;

/** Properties of all paragraphs, in the order of their bytes ([MS-DOC] 2.9.174). */
export function readParagraphProperties(file: WordFile): ParagraphProperties[] {
  const found: ParagraphProperties[] = [];
  for (const page of pagesOf(file, 'paragraphPages')) {
    const count = page.u8(COUNT_AT);
    for (let index = 0; index < count; index++) {
      const range = rangeAt(page, index);
      const at = 2 * page.u8((count + 1) * 4 + index * PARAGRAPH_ENTRY_BYTES);
      found.push({ ...range, ...readEntry(page, at, file) });
    }
  }
  return found.sort((one, other) => one.start - other.start);
}

/** Where text is deleted, but kept until somebody accepts that, or hidden. */
export function readRemovedText(file: WordFile): ByteRange[] {
  const removed: ByteRange[] = [];
  for (const page of pagesOf(file, 'characterPages')) {
    const count = page.u8(COUNT_AT);
    for (let index = 0; index < count; index++) {
      const at = 2 * page.u8((count + 1) * 4 + index);
      if (at > 0 && isRemoved(page.slice(at + 1, page.u8(at)))) removed.push(rangeAt(page, index));
    }
  }
  return removed.sort((one, other) => one.start - other.start);
}

/** Each page once: a damaged list may name one any number of times. */
function* pagesOf(file: WordFile, name: 'paragraphPages' | 'characterPages'): Generator<ByteView> {
  const structure = file.structure(name);
  const count = positionsOf(structure, 4).length - 1;
  const seen = new Set<number>();
  for (let index = 0; index < count; index++) {
    const number = structure.u32((count + 1 + index) * 4);
    if (seen.has(number)) continue;
    seen.add(number);
    yield new ByteView(file.document.slice(number * PAGE_BYTES, PAGE_BYTES));
  }
}

function rangeAt(page: ByteView, index: number): ByteRange {
  return { start: page.u32(index * 4), end: page.u32((index + 1) * 4) };
}

function readEntry(page: ByteView, at: number, file: WordFile): Omit<ParagraphProperties, 'start' | 'end'> {
  const properties: Omit<ParagraphProperties, 'start' | 'end'> = {
    style: 0,
    isInTable: false,
    isRowEnd: false,
  };
  if (at === 0) return properties;
  const words = page.u8(at);
  const bytes = words > 0 ? page.slice(at + 1, 2 * words - 1) : page.slice(at + 2, 2 * page.u8(at + 1));
  if (bytes.length < 2) return properties;
  properties.style = bytes.readUInt16LE();
  for (const { code, operand } of paragraphChanges(bytes.subarray(2), file.data)) {
    const isOn = operand[0] !== 0;
    if (code === PROPERTY.isInTable) properties.isInTable = isOn;
    else if (code === PROPERTY.isRowEnd) properties.isRowEnd = isOn;
    else if (code === PROPERTY.outlineLevel) properties.outlineLevel = operand[0] as number;
  }
  return properties;
}

function isRemoved(bytes: Buffer): boolean {
  let isDeleted = false;
  let isHidden = false;
  for (const { code, operand } of propertyChanges(bytes)) {
    // The higher bit compares with the style, which removes nothing.
    const isOn = ((operand[0] as number) & 1) === 1;
    if (code === PROPERTY.isDeleted) isDeleted = isOn;
    else if (code === PROPERTY.isHidden) isHidden = isOn;
  }
  return isDeleted || isHidden;
}
