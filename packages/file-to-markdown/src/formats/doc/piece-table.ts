import { createDecoder } from '../../decode/encodings.js';
import { corruptFileError } from '../../errors.js';
import type { ByteRange } from './formatted-pages.js';
import type { TextRange, WordFile } from './word-file.js';

interface Piece {
  start: number;
  end: number;
  /** Of its first character in the document. */
  at: number;
  width: 1 | 2;
}

const PROPERTIES = 1;
const PIECES = 2;
const PIECE_BYTES = 8;
const IS_COMPRESSED = 0x4000_0000;
const REMOVED = '\u0000';
/** All but the ends of paragraphs, cells and sections, without which what is around a removed text would run together. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ends
const CONTENT = /[^\u0007\u000c\r]/g;

/** The text of a document, which lies in pieces in the order in which they were written. */
export class PieceTable {
  readonly #pieces: Piece[];

  constructor(
    private readonly file: WordFile,
    private readonly removed: ByteRange[],
  ) {
    this.#pieces = readPieces(file);
  }

  /** Characters of a range, with zeros where text is removed. */
  text({ start, end }: TextRange): string {
    let text = '';
    for (let index = this.#indexOf(start); index < this.#pieces.length; index++) {
      const piece = this.#pieces[index] as Piece;
      if (piece.start >= end) break;
      text += this.#textOf(piece, Math.max(start, piece.start), Math.min(end, piece.end));
    }
    return text;
  }

  /** Where a character lies in the document, in bytes. */
  byteOf(position: number): number {
    const piece = this.#pieces[this.#indexOf(position)];
    return piece ? piece.at + (position - piece.start) * piece.width : -1;
  }

  #indexOf(position: number): number {
    return firstIndex(this.#pieces, ({ end }) => end > position);
  }

  #textOf(piece: Piece, start: number, end: number): string {
    const { width } = piece;
    const at = piece.at + (start - piece.start) * width;
    const bytes = this.file.document.slice(at, (end - start) * width);
    const text = width === 2 ? bytes.toString('utf16le') : createDecoder('windows-1252').decode(bytes);
    const last = at + bytes.length;
    let shown = '';
    let from = 0;
    for (let index = firstIndex(this.removed, (range) => range.end > at); ; index++) {
      const range = this.removed[index];
      if (!range || range.start >= last) return shown + text.slice(from);
      const removedTo = Math.min(end - start, Math.floor((range.end - at) / width));
      const removedFrom = Math.max(from, Math.ceil((range.start - at) / width));
      if (removedTo <= removedFrom) continue;
      shown += text.slice(from, removedFrom) + text.slice(removedFrom, removedTo).replace(CONTENT, REMOVED);
      from = removedTo;
    }
  }
}

/** The first of some sorted values that a condition holds for; their number where there is none. */
export function firstIndex<T>(values: readonly T[], holds: (value: T) => boolean): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(values[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function readPieces(file: WordFile): Piece[] {
  const structure = file.structure('pieces');
  let at = 0;
  while (structure.u8(at) === PROPERTIES) at += 3 + structure.u16(at + 1);
  if (structure.u8(at) !== PIECES) throw corruptFileError('Word document');
  const count = Math.floor((structure.u32(at + 1) - 4) / (4 + PIECE_BYTES));
  at += 5;
  const pieces: Piece[] = [];
  let characters = 0;
  for (let index = 0; index < count; index++) {
    const start = structure.u32(at + index * 4);
    const end = structure.u32(at + (index + 1) * 4);
    const place = structure.u32(at + (count + 1) * 4 + index * PIECE_BYTES + 2);
    const isCompressed = (place & IS_COMPRESSED) !== 0;
    const offset = place & ~IS_COMPRESSED;
    characters += end - start;
    // Pieces share no bytes; those of a damaged table could be any number of times the document.
    if (end < start || start !== (pieces.at(-1)?.end ?? 0) || characters > file.document.length) {
      throw corruptFileError('Word document');
    }
    pieces.push({ start, end, at: isCompressed ? offset >>> 1 : offset, width: isCompressed ? 1 : 2 });
  }
  return pieces;
}
