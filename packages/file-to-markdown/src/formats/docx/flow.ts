import type { Block } from './block.js';

/** Blocks below each other: of the body, of a cell, a note or a text box. */
export class Flow {
  readonly blocks: Block[] = [];
  /** In a cell, notes would tear the table apart. */
  readonly notes: Block[];
  holdsTable = false;
  /** Levels of the list that the last block is, with how far they are indented. */
  #levels: { level: number; indent: number }[] = [];

  constructor(isCell = false) {
    this.notes = isCell ? [] : this.blocks;
  }

  add(block: Block): void {
    this.#levels = [];
    this.blocks.push(block);
  }

  /** Stands after the paragraph that has it; an item of a list does not end the list. */
  addPicture(mark: string): void {
    if (!mark) return;
    const list = this.#levels.length > 0 ? this.blocks.at(-1) : undefined;
    if (list) {
      list.markdown += `\n\n${mark}`;
      list.text += ` ${mark}`;
    } else this.blocks.push({ markdown: mark, text: mark });
  }

  addNotes(notes: readonly Block[]): void {
    if (notes.length > 0) this.#levels = [];
    for (const note of notes) this.notes.push(note);
  }

  /** An item of a list; those that follow each other are one block. */
  addItem(level: number, label: string, item: { markdown: string; text: string }, mark: string): void {
    if (mark) this.#levels = [];
    const last = this.#levels.length > 0 ? this.blocks.at(-1) : undefined;
    while ((this.#levels.at(-1)?.level ?? -1) > level) this.#levels.pop();
    let current = this.#levels.at(-1);
    if (current?.level !== level) {
      current = { level, indent: current ? current.indent + 2 : 0 };
      this.#levels.push(current);
    }
    const line = `${' '.repeat(current.indent)}${label} ${item.markdown.replace(/\s+/g, ' ')}`;
    const text = `${label} ${item.text}`;
    if (last) {
      last.markdown += `\n${line}`;
      last.text += ` ${text}`;
    } else this.blocks.push({ markdown: mark + line, text });
  }
}
