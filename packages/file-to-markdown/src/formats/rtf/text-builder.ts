import { markdownTable } from '../../shared/tables/markdown-table.js';
import { PAGE_BREAK } from '../../shared/text/page-breaks.js';

export interface ParagraphStyle {
  inTable: boolean;
  /** Level of a heading, from 0. */
  outline: number | undefined;
  /** Depth in a list, from 0. */
  depth: number;
  startsPage: boolean;
}

/** Puts the blocks of a text together as Markdown. */
export class TextBuilder {
  #blocks: string[] = [];
  #text = '';
  #bullet = '';
  #rows: string[][] = [];
  #cells: string[] = [];
  #attached: string[] = [];
  #endsWithItem = false;

  add(text: string): void {
    this.#text += text;
  }

  /** The visible number or sign of the list item that begins. */
  setBullet(sign: string): void {
    const number = /^\(?[\p{L}\p{N}]{1,6}[.)、]/u.exec(sign.trim())?.[0];
    this.#bullet = number ?? '-';
  }

  /** A block that comes after the paragraph: a note or a text box. */
  attach(block: string): void {
    if (block) this.#attached.push(block);
  }

  endParagraph({ inTable, outline, depth, startsPage }: ParagraphStyle): void {
    if (inTable) {
      this.#text += ' ';
      return;
    }
    this.#closeTable();
    const text = this.#takeText();
    const mark = startsPage && this.#blocks.length > 0 ? PAGE_BREAK : '';
    if (text && this.#bullet) this.#addItem(mark, `${'  '.repeat(depth)}${this.#bullet} ${oneLine(text)}`);
    else if (text && outline !== undefined)
      this.#addBlock(`${mark}${'#'.repeat(Math.min(6, outline + 1))} ${oneLine(text)}`);
    else if (text) this.#addBlock(mark + text);
    this.#bullet = '';
    for (const block of this.#attached.splice(0)) this.#addBlock(block);
  }

  endCell(): void {
    this.#cells.push(this.#takeText());
    this.#bullet = '';
  }

  endRow(): void {
    if (this.#cells.some(Boolean)) this.#rows.push(this.#cells);
    this.#cells = [];
  }

  finish(): string {
    this.endParagraph({ inTable: false, outline: undefined, depth: 0, startsPage: false });
    return this.#blocks.join('\n\n');
  }

  #addBlock(block: string): void {
    this.#blocks.push(block);
    this.#endsWithItem = false;
  }

  #addItem(mark: string, item: string): void {
    const list = this.#endsWithItem && !mark ? this.#blocks.pop() : undefined;
    this.#addBlock(list ? `${list}\n${item}` : mark + item);
    this.#endsWithItem = true;
  }

  #closeTable(): void {
    this.endRow();
    if (this.#rows.length > 0) this.#addBlock(markdownTable(this.#rows));
    this.#rows = [];
  }

  #takeText(): string {
    const text = this.#text
      .replace(/[ \t]+/g, ' ')
      .replace(/ ?\n ?/g, '\n')
      .trim();
    this.#text = '';
    return text;
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
