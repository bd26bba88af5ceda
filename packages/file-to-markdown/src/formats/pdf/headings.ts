import type { Fragment } from './fragments.js';
import { looksLikeTitle } from './looks-like-title.js';
import { isTocEntry, type Paragraph } from './paragraphs.js';

/** Lines this much larger than the body's are headings. */
const LARGER = 1.12;
/** Text recognition gives each line a size of its own; there, only what is much larger is a heading. */
const LARGER_IN_SCANS = 1.5;
const MIN_BODY_SHARE = 0.5;
/** With more large or bold text than this share, it does not mean headings in this document. */
const MAX_SHARE = 0.2;
const MAX_MONO_SHARE = 0.6;
const SAME_SIZE = 1.06;
const MAX_LENGTH = 150;
const MAX_BOLD_LINES = 2;
const MAX_LEVEL = 6;
const MIN_COUNT_SHARE = 0.0005;

/** How long the text of each size is, in a document. */
export class SizeStatistics {
  readonly #all = new Map<number, number>();
  readonly #bold = new Map<number, number>();
  #mono = 0;
  readonly #counts = new Map<number, number>();

  add({ text, size, bold, mono }: Pick<Fragment, 'text' | 'size' | 'bold' | 'mono'>): void {
    const rounded = Math.round(size * 2) / 2;
    this.#all.set(rounded, (this.#all.get(rounded) ?? 0) + text.length);
    this.#counts.set(rounded, (this.#counts.get(rounded) ?? 0) + (/\p{L}/u.test(text) ? 1 : 0));
    if (mono) this.#mono += text.length;
    if (bold) this.#bold.set(rounded, (this.#bold.get(rounded) ?? 0) + text.length);
  }

  /** The size most characters have, to half a point. */
  body(): number {
    return [...this.#all].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, 0])[0];
  }

  /** The least size of a heading. */
  smallest(): number {
    return this.body() * (this.isScan() ? LARGER_IN_SCANS : LARGER);
  }

  /** Whether the text has no usual size, as what text recognition puts under a picture. */
  isScan(): boolean {
    const body = this.body();
    const near = [...this.#all].filter(([size]) => Math.abs(size - body) <= 0.5).map(([, length]) => length);
    return sum(near) < MIN_BODY_SHARE * sum(this.#all.values());
  }

  /**
   * Sizes that mean headings, from the largest; those that differ little are one, and those of a long document
   * that hardly occur take the level of the next smaller one.
   */
  headings(): number[] {
    const smallest = this.smallest();
    const sizes = [...this.#all.keys()].filter((size) => size >= smallest).sort((a, b) => b - a);
    const total = sum(this.#all.values());
    const large = sum(sizes.map((size) => this.#all.get(size) ?? 0));
    if (large > MAX_SHARE * total) return [];
    const least = sum(this.#counts.values()) * MIN_COUNT_SHARE;
    const usual = sizes.filter((size) => (this.#counts.get(size) ?? 0) >= least);
    return usual.filter((size, index) => index === 0 || (usual[index - 1] ?? 0) > size * SAME_SIZE);
  }

  /** Whether bold lines of the body's size stand out. */
  boldStandsOut(): boolean {
    return sum(this.#bold.values()) <= MAX_SHARE * sum(this.#all.values());
  }

  /** Whether text in a monospaced font stands out. */
  monoStandsOut(): boolean {
    return this.#mono < MAX_MONO_SHARE * sum(this.#all.values());
  }
}

/** Tells the level of a heading from its first line, 0 for other text; the same throughout the document. */
export function createHeadingClassifier(
  statistics: SizeStatistics,
): (paragraph: Paragraph, text: string) => number {
  const body = statistics.body();
  const smallest = statistics.smallest();
  const isScan = statistics.isScan();
  const sizes = statistics.headings();
  const boldLevel = statistics.boldStandsOut() ? Math.min(sizes.length + 1, MAX_LEVEL) : 0;
  return (paragraph, text) => {
    const [line] = paragraph;
    if (!line || isTocEntry(paragraph) || text.length > MAX_LENGTH || !/\p{L}/u.test(text)) return 0;
    if (!looksLikeTitle(text, isScan)) return 0;
    const rank = sizes.findIndex((size) => line.size >= size / SAME_SIZE) + 1;
    if (rank > 0 && line.size >= smallest) return Math.min(rank, MAX_LEVEL);
    const isTitle = paragraph.length <= MAX_BOLD_LINES && paragraph.every(({ bold }) => bold);
    return isTitle && line.size > body * 0.9 && !/[.,;!?。，；！？]$/.test(text) ? boldLevel : 0;
  };
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
