import { copyOf } from '../../ranking/analyze.js';

/*
 * The words of a segment: sorted, in blocks, with how many chunks hold each. Of these numbers only the magnitude matters.
 */

/** Of a block, about. */
const BLOCK_CHARACTERS = 4_000;
/** Of a segment. Natural text of a full one has half as many; of others the frequent words stay. */
const MAX_WORDS = 250_000;
/** Sorted at a time, in some milliseconds. */
const SORTED_AT_ONCE = 8_192;
/** A letter, and at least two more letters or digits, none of them a surrogate: UTF-16 sorts them as UTF-8 does. */
const WORD = /^(?=[\0-\ud7ff\ue000-\uffff]+$)\p{L}[\p{L}\p{N}]{2,31}$/u;

/** One row of `posting_words`. */
export interface WordRow {
  firstWord: string;
  /** Separated by spaces. */
  words: string;
  /** A byte for each word, for `countOf`. */
  counts: Buffer;
}

/** Collects the words of chunks. */
export class SegmentWords {
  readonly #counts = new Map<string, number>();

  /** @param words of one chunk, each once */
  add(words: Iterable<string>): void {
    for (const word of words) {
      const count = this.#counts.get(word);
      if (count !== undefined) this.#counts.set(word, count + 1);
      else if (WORD.test(word)) this.#counts.set(copyOf(word), 1);
    }
    if (this.#counts.size > MAX_WORDS) this.#dropRare();
  }

  /** Each row is made in some milliseconds. */
  *rows(): Generator<WordRow> {
    let block: string[] = [];
    let size = 0;
    for (const sorted of sortedParts([...this.#counts.keys()])) {
      for (const word of sorted) {
        block.push(word);
        size += word.length + 1;
        if (size < BLOCK_CHARACTERS) continue;
        yield this.#toRow(block);
        [block, size] = [[], 0];
      }
    }
    if (block.length > 0) yield this.#toRow(block);
  }

  #toRow(block: string[]): WordRow {
    const counts = Buffer.from(block.map((word) => toByte(this.#counts.get(word) as number)));
    return { firstWord: block[0] as string, words: block.join(' '), counts };
  }

  #dropRare(): void {
    for (let rare = 1; this.#counts.size > MAX_WORDS / 2; rare *= 2) {
      for (const [word, count] of this.#counts) if (count <= rare) this.#counts.delete(word);
    }
  }
}

/** Texts that differ, sorted: spread over parts by one letter after the other until they are few. */
export function* sortedParts(words: string[], place = 0): Generator<string[]> {
  if (words.length <= SORTED_AT_ONCE) {
    yield words.sort();
    return;
  }
  const parts = new Map<string, string[]>();
  for (const word of words) {
    const letter = word.charAt(place);
    const part = parts.get(letter);
    if (part) part.push(word);
    else parts.set(letter, [word]);
  }
  for (const letter of [...parts.keys()].sort()) yield* sortedParts(parts.get(letter) as string[], place + 1);
}

/** A number from 1 on as a byte: each step is a twelfth more. */
const toByte = (count: number): number => Math.min(255, Math.round(8 * Math.log2(count)));

/** The number that a byte of `counts` stands for, about. */
export const countOf = (byte: number): number => 2 ** (byte / 8);
