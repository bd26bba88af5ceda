import { ByteView } from './byte-view.js';

/** Where the file information block keeps places and lengths ([MS-DOC] 2.5.6): pairs of an offset and a size. */
const PLACES = {
  styles: 0xa2,
  footnoteReferences: 0xaa,
  footnoteTexts: 0xb2,
  characterPages: 0xfa,
  paragraphPages: 0x102,
  pieces: 0x1a2,
  endnoteReferences: 0x20a,
  endnoteTexts: 0x212,
};
/** Lengths in characters of the texts of a document, in their order ([MS-DOC] 2.5.5). */
const TEXT_LENGTHS = {
  body: 0x4c,
  footnotes: 0x50,
  headers: 0x54,
  comments: 0x5c,
  endnotes: 0x60,
  boxes: 0x64,
};
const FLAGS_AT = 10;
const USES_TABLE_1 = 0x0200;

export interface TextRange {
  start: number;
  end: number;
}

/** The streams of a Word 97 document, and what its first one says of them. */
export class WordFile {
  readonly document: ByteView;
  readonly data: ByteView;
  readonly #table: ByteView;

  /** @param readStream gives a stream of the container by its name; undefined where there is none */
  constructor(readStream: (name: string) => Buffer | undefined) {
    this.document = new ByteView(readStream('WordDocument') ?? Buffer.alloc(0));
    const name = this.document.u16(FLAGS_AT) & USES_TABLE_1 ? '1Table' : '0Table';
    this.#table = new ByteView(readStream(name) ?? Buffer.alloc(0));
    this.data = new ByteView(readStream('Data') ?? Buffer.alloc(0));
  }

  /** A structure of the table stream; empty where the document has none. */
  structure(name: keyof typeof PLACES): ByteView {
    const at = PLACES[name];
    const length = this.document.u32(at + 4);
    return new ByteView(length === 0 ? Buffer.alloc(0) : this.#table.slice(this.document.u32(at), length));
  }

  /** Where a text lies among all characters. */
  range(name: keyof typeof TEXT_LENGTHS): TextRange {
    let start = 0;
    for (const [text, at] of Object.entries(TEXT_LENGTHS)) {
      const end = start + this.document.u32(at);
      if (text === name) return { start, end };
      start = end;
    }
    return { start, end: start };
  }
}

/** Positions in an array of positions and equally long data ([MS-DOC] 2.2.2). */
export function positionsOf(structure: ByteView, dataLength: number): number[] {
  const count = Math.floor((structure.length - 4) / (dataLength + 4));
  return Array.from({ length: Math.max(0, count + 1) }, (_, index) => structure.u32(index * 4));
}
