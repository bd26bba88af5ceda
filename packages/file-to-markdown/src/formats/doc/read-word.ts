import { type ParagraphProperties, readParagraphProperties, readRemovedText } from './formatted-pages.js';
import { readHeadingLevels } from './heading-levels.js';
import { readNotes } from './notes.js';
import { firstIndex, PieceTable } from './piece-table.js';
import { plainText } from './plain-text.js';
import { TableRows } from './table-rows.js';
import type { TextRange, WordFile } from './word-file.js';

const NOTE = '\u0002';
const CELL = '\u0007';
// biome-ignore lint/suspicious/noControlCharactersInRegex: they end paragraphs, cells and sections
const PARAGRAPH = /[^\u0007\u000c\r]*[\u0007\u000c\r]?/g;
const MAX_MARKS = 6;
const BODY_LEVEL = 9;

/** Reads the texts of a Word 97 document into Markdown: the body with its notes, then text boxes. */
export function readWord(file: WordFile): string {
  return new WordReader(file).read();
}

class WordReader {
  readonly #pieces: PieceTable;
  readonly #properties: ParagraphProperties[];
  readonly #levelOf: (style: number) => number | undefined;
  readonly #notes: Map<number, string>;
  readonly #rows = new TableRows();
  readonly #blocks: string[] = [];
  #mentioned = 0;

  constructor(private readonly file: WordFile) {
    this.#pieces = new PieceTable(file, readRemovedText(file));
    this.#properties = readParagraphProperties(file);
    this.#levelOf = readHeadingLevels(file.structure('styles'));
    this.#notes = readNotes(file, this.#pieces);
  }

  read(): string {
    this.#readText(this.file.range('body'));
    this.#readText(this.file.range('boxes'));
    return this.#blocks.filter(Boolean).join('\n\n');
  }

  #readText({ start, end }: TextRange): void {
    let position = start;
    for (const [characters] of this.#pieces.text({ start, end }).matchAll(PARAGRAPH)) {
      if (characters) this.#readParagraph(characters, position);
      position += characters.length;
    }
    this.#endTable();
  }

  #readParagraph(characters: string, position: number): void {
    const properties = this.#propertiesAt(position + characters.length - 1);
    const notes: string[] = [];
    const text = plainText(
      characters.replaceAll(NOTE, (_, at: number) => this.#mention(position + at, notes)),
    );
    if (properties?.isInTable) {
      this.#rows.add(text, { endsCell: characters.endsWith(CELL), endsRow: properties.isRowEnd, notes });
      return;
    }
    this.#endTable();
    const level = properties?.outlineLevel ?? (properties && this.#levelOf(properties.style)) ?? BODY_LEVEL;
    const marks = level < BODY_LEVEL ? '#'.repeat(Math.min(MAX_MARKS, level + 1)) : '';
    this.#blocks.push(marks && text ? `${marks} ${text.replace(/\s+/g, ' ')}` : text, ...notes);
  }

  #endTable(): void {
    for (const block of this.#rows.end()) this.#blocks.push(block);
  }

  #mention(position: number, notes: string[]): string {
    const note = this.#notes.get(position);
    if (note === undefined) return '';
    const mark = `[${++this.#mentioned}]`;
    notes.push(`${mark} ${plainText(note.replaceAll('\r', '\u000b'))}`);
    return mark;
  }

  #propertiesAt(position: number): ParagraphProperties | undefined {
    const byte = this.#pieces.byteOf(position);
    const found = this.#properties[firstIndex(this.#properties, ({ end }) => end > byte)];
    return found && found.start <= byte ? found : undefined;
  }
}
