import { CFB } from '@e965/xlsx';

interface Paragraph {
  /** Without its end. */
  text: string;
  /** Its place among the styles. */
  style?: number;
  inTable?: 'cell' | 'row';
  isDeleted?: boolean;
}

interface Style {
  /** As in [MS-DOC]: 1 to 9 are headings. */
  builtIn: number;
  parent?: number;
}

const PAGE = 512;
const TEXT_AT = 4 * PAGE;
const NO_PARENT = 0xfff;

/** A Word 97 document of some paragraphs, with one piece of text and a page for each kind of properties. */
export function word97(paragraphs: Paragraph[], styles: Style[] = []): Buffer {
  const ends = paragraphs.map(({ inTable }) => (inTable ? '\u0007' : '\r'));
  const texts = paragraphs.map(({ text }, index) => Buffer.from(text + ends[index], 'utf16le'));
  const text = Buffer.concat(texts);
  const document = Buffer.alloc(TEXT_AT + text.length + 4 * PAGE);
  const table: Buffer[] = [Buffer.alloc(4)];
  const put = (at: number, structure: Buffer) => {
    document.writeUInt32LE(
      table.reduce((sum, { length }) => sum + length, 0),
      at,
    );
    document.writeUInt32LE(structure.length, at + 4);
    table.push(structure);
  };
  document.writeUInt16LE(0xa5ec, 0);
  document.writeUInt16LE(0x0200, 10);
  document.writeUInt32LE(text.length / 2, 0x4c);
  text.copy(document, TEXT_AT);
  put(0xa2, styleSheet(styles));
  const end = TEXT_AT + text.length;
  put(0x102, integers(TEXT_AT, end, 2));
  put(0xfa, integers(TEXT_AT, end, 3));
  const piece = Buffer.concat([
    integers(0, text.length / 2),
    Buffer.alloc(2),
    integers(TEXT_AT),
    Buffer.alloc(2),
  ]);
  put(0x1a2, Buffer.concat([Buffer.from([2]), integers(piece.length), piece]));
  const entries = paragraphs.map(paragraphEntry);
  page(texts, entries, 13).copy(document, 2 * PAGE);
  page(texts, paragraphs.map(characterEntry), 1).copy(document, 3 * PAGE);
  const container = CFB.utils.cfb_new();
  CFB.utils.cfb_add(container, '/WordDocument', document);
  CFB.utils.cfb_add(container, '/1Table', Buffer.concat(table));
  return Buffer.from(CFB.write(container, { type: 'buffer' }) as Uint8Array);
}

function paragraphEntry({ style = 0, inTable }: Paragraph): Buffer {
  const properties = [style & 0xff, style >> 8];
  if (inTable) properties.push(0x16, 0x24, 1);
  if (inTable === 'row') properties.push(0x17, 0x24, 1);
  if (properties.length % 2 === 0) return Buffer.from([0, properties.length / 2, ...properties]);
  return Buffer.from([(properties.length + 1) / 2, ...properties]);
}

function characterEntry({ isDeleted }: Paragraph): Buffer {
  return isDeleted ? Buffer.from([3, 0x00, 0x08, 0x81]) : Buffer.from([0]);
}

/** Properties of texts: where each begins, where its entry is, and the entries from the end on. */
function page(texts: Buffer[], entries: Buffer[], width: number): Buffer {
  const bytes = Buffer.alloc(PAGE);
  let at = TEXT_AT;
  let free = PAGE - 2;
  texts.forEach((text, index) => {
    bytes.writeUInt32LE(at, index * 4);
    at += text.length;
    bytes.writeUInt32LE(at, (index + 1) * 4);
    const entry = entries[index] as Buffer;
    free = 2 * Math.floor((free - entry.length) / 2);
    entry.copy(bytes, free);
    bytes[(texts.length + 1) * 4 + index * width] = free / 2;
  });
  bytes[PAGE - 1] = texts.length;
  return bytes;
}

function styleSheet(styles: Style[]): Buffer {
  const header = Buffer.alloc(20);
  header.writeUInt16LE(18, 0);
  header.writeUInt16LE(styles.length, 2);
  header.writeUInt16LE(10, 4);
  const all = styles.map(({ builtIn, parent = NO_PARENT }) => {
    const style = Buffer.alloc(18);
    style.writeUInt16LE(16, 0);
    style.writeUInt16LE(builtIn, 2);
    style.writeUInt16LE((parent << 4) | 1, 4);
    return style;
  });
  return styles.length > 0 ? Buffer.concat([header, ...all]) : Buffer.alloc(0);
}

function integers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4);
  return bytes;
}
