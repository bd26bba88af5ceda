import { type Page, PagePlacer } from '../chunking/split/join-pages.js';
import type { TextPart } from './protocol.js';

/** Most characters of a part: about two printed pages. */
const MAX_PART = 8_000;

/**
 * Pages as parts to be shown: those of one number together as long as they fit, longer ones cut at a blank line, a line
 * break or a space. Offsets are those that pieces count in.
 */
export class PartJoiner {
  readonly #placer = new PagePlacer();
  #open: TextPart | undefined;

  /** @returns the parts that are complete */
  add({ number, markdown }: Page): TextPart[] {
    const { start, joint } = this.#placer.place(markdown);
    const open = this.#open;
    if (open?.number === number && open.text.length + joint.length + markdown.length <= MAX_PART) {
      open.text += joint + markdown;
      return [];
    }
    const parts = cutPage(number, start, markdown);
    this.#open = parts.pop();
    return open ? [open, ...parts] : parts;
  }

  /** @returns the last part */
  end(): TextPart[] {
    return this.#open ? [this.#open] : [];
  }
}

/** At least one part, which is empty for an empty page. */
function cutPage(number: number, start: number, text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  do {
    const to = text.length - from > MAX_PART ? findCut(text, from, from + MAX_PART) : text.length;
    parts.push({ number, start: start + from, text: text.slice(from, to) });
    from = to;
  } while (from < text.length);
  return parts;
}

/** Where to cut, in the second half of what fits. */
function findCut(text: string, from: number, to: number): number {
  const window = text.slice(from, to);
  for (const mark of ['\n\n', '\n', ' ']) {
    const at = window.lastIndexOf(mark);
    if (at > window.length / 2) return from + at + mark.length;
  }
  const isInsidePair = /[\uD800-\uDBFF]$/.test(window);
  return isInsidePair ? to - 1 : to;
}
