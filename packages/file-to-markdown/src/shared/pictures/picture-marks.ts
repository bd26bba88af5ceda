import type { PicturesInText, ReadablePicture } from './pictures-in-text.js';

/** Non-characters around a number, which no text holds, as page breaks have others. */
const MARK = /\ufdd4(\d{1,4})\ufdd5/g;
/** In an item of a list, empty lines are indented. */
const EMPTY_LINES = /^\n[^\S\n]*\n/;

/** Marks that stand for pictures in Markdown until its pages are known, and pictures are read one after another. */
export class PictureMarks {
  readonly #pictures: (ReadablePicture | undefined)[] = [];

  constructor(private readonly inText: PicturesInText) {}

  /** A paragraph of one word; empty where there are too many pictures. */
  add(picture: ReadablePicture): string {
    if (!this.inText.count(picture)) return '';
    return `\ufdd4${this.#pictures.push(picture) - 1}\ufdd5`;
  }

  /** Forgets all, where a document is read again. */
  clear(): void {
    this.#pictures.length = 0;
  }

  /** Markdown with what is read in the places of marks, as paragraphs of their own, or on the line of a table's row. */
  async resolve(markdown: string, page: number): Promise<string> {
    const parts: string[] = [];
    let at = 0;
    /** Whether an empty line has to follow. */
    let isOpen = false;
    let isInRow = markdown.startsWith('|');
    const add = (text: string) => {
      parts.push(isOpen && text ? `\n\n${withoutBreaks(text)}` : text);
      isOpen = false;
    };
    for (const match of markdown.matchAll(MARK)) {
      const before = markdown.slice(at, match.index);
      at = match.index + match[0].length;
      const line = before.lastIndexOf('\n') + 1;
      if (line > 0) isInRow = before[line] === '|';
      const text = await this.#read(Number(match[1]), page);
      if (isInRow) {
        add(before);
        if (text) parts.push(text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|'));
        else at += closeGap(parts, markdown.slice(at, at + 2));
        continue;
      }
      const trimmed = before.trimEnd();
      const isBlock = before.slice(trimmed.length).includes('\n');
      add(text || isBlock ? trimmed : before);
      if (!text) continue;
      if (parts.some(Boolean)) parts.push('\n\n');
      parts.push(text);
      isOpen = true;
    }
    add(markdown.slice(at));
    return parts.join('');
  }

  /** Once: cells that are repeated have their picture in the first. */
  async #read(index: number, page: number): Promise<string | undefined> {
    const picture = this.#pictures[index];
    this.#pictures[index] = undefined;
    return picture && this.inText.read(picture, page);
  }
}

const withoutBreaks = (text: string): string => text.replace(EMPTY_LINES, '').replace(/^\n/, '');

/**
 * Takes out the blank before or behind a mark in a cell that also has text.
 *
 * @param after what follows the mark
 * @returns how many characters of that are to be left out
 */
function closeGap(parts: string[], after: string): number {
  const before = parts.at(-1) ?? '';
  if (before.endsWith('| ')) return after.startsWith(' ') && after !== ' |' ? 1 : 0;
  if (before.endsWith(' ')) parts[parts.length - 1] = before.slice(0, -1);
  return 0;
}
