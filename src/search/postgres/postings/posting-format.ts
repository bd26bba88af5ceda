import type { ByteWriter } from './byte-writer.js';

/*
 * Posting lists as bytes. The chunks of a segment are numbered by their length. A posting is the gap to the chunk
 * before it as a number of variable length, whose lowest bit says that the term occurs once; else a byte with its
 * frequency follows. (Manning, Raghavan and Schütze, "Introduction to Information Retrieval", 2008, chapter 5.)
 */

/** Greater frequencies count as this one. */
export const MAX_FREQUENCY = 255;

/** Appends a posting. @returns its ordinal, for the gap of the next; that of the first counts from -1 */
export function writePosting(
  writer: ByteWriter,
  { ordinal, frequency, previous }: { ordinal: number; frequency: number; previous: number },
): number {
  const gap = ordinal - previous;
  if (frequency === 1) {
    writer.writeVarint(2 * gap + 1);
  } else {
    writer.writeVarint(2 * gap);
    writer.writeByte(frequency);
  }
  return ordinal;
}

/** The postings of one term, as a part of some bytes. */
export interface PostingList {
  bytes: Uint8Array;
  start: number;
  end: number;
  /** Number of postings. */
  count: number;
}

/** What BM25 needs of the chunks of a segment. Those of the same length follow each other, and are a run. */
export interface LengthRuns {
  /** The ordinal after each run's last chunk. */
  ends: Uint32Array;
  /** What a frequency is compared with, by the run's length. */
  norms: Float32Array;
  /** `1 / (1 + norm)`: what a term that occurs once is worth. Most do. */
  single: Float32Array;
}

/** After the last posting of a list. */
const END = 0x7fff_ffff;

/** Chunks of a segment that follow each other, with the scores of those that hold a term. */
export class ScoreWindow {
  /** The ordinal of the first chunk, and that after the last. */
  start = 0;
  end = 0;
  /** By the place in the window; 0 for chunks without a term. */
  readonly scores: Float32Array;
  /** The places of the chunks that have a score, in any order. */
  readonly places: Uint16Array;
  count = 0;

  constructor(readonly size: number) {
    this.scores = new Float32Array(size);
    this.places = new Uint16Array(size);
  }

  /** Begins the window that holds a chunk. */
  moveTo(ordinal: number, chunks: number): void {
    for (let i = 0; i < this.count; i++) this.scores[this.places[i] as number] = 0;
    this.count = 0;
    this.start = ordinal - (ordinal % this.size);
    this.end = Math.min(this.start + this.size, chunks);
  }
}

/** Goes through the postings of a term, window by window. */
export class PostingCursor {
  /** The ordinal of the next posting; beyond all chunks after the last. */
  next = -1;
  readonly #list: PostingList;
  readonly #runs: LengthRuns;
  #at: number;
  #isSingle = false;
  #run = 0;

  /** @param weight of the term, of which each score is a share */
  constructor(
    list: PostingList,
    runs: LengthRuns,
    readonly weight: number,
  ) {
    this.#list = list;
    this.#runs = runs;
    this.#at = list.start;
    this.addScores(new ScoreWindow(0), true);
  }

  /**
   * Adds the term to the BM25 scores of the chunks of a window that hold it: `weight * frequency / (frequency + norm)`.
   *
   * @param isEnough whether the term alone gives a chunk a score; otherwise, only chunks that have one get more
   * @param isCounted 1 for each chunk of the window that may get a score; all if undefined
   */
  addScores(window: ScoreWindow, isEnough: boolean, isCounted?: Uint8Array): void {
    const { bytes, end: stop } = this.#list;
    const { ends, norms, single } = this.#runs;
    const { start, end, scores, places } = window;
    const { weight } = this;
    let { next, count } = { next: this.next, count: window.count };
    let [at, isSingle, run] = [this.#at, this.#isSingle, this.#run];
    while (next < end) {
      const frequency = isSingle || next < 0 ? 1 : (bytes[at++] as number);
      if (next >= start) {
        const place = next - start;
        const before = scores[place] as number;
        if (before > 0 || (isEnough && (!isCounted || isCounted[place] === 1))) {
          while (next >= (ends[run] as number)) run++;
          const share = isSingle ? (single[run] as number) : frequency / (frequency + (norms[run] as number));
          scores[place] = before + weight * share;
          if (before === 0) places[count++] = place;
        }
      }
      if (at >= stop) {
        next = END;
        break;
      }
      let value = bytes[at++] as number;
      if (value > 0x7f) {
        value &= 0x7f;
        for (let shift = 7, byte = 0x80; byte > 0x7f; shift += 7) {
          byte = bytes[at++] as number;
          value |= (byte & 0x7f) << shift;
        }
      }
      next += value >>> 1;
      isSingle = (value & 1) === 1;
    }
    window.count = count;
    this.next = next;
    [this.#at, this.#isSingle, this.#run] = [at, isSingle, run];
  }
}

/** The ordinals of some of the chunks that hold a term, from all over the list. */
export function readOrdinals({ bytes, start, end, count }: PostingList, most: number): number[] {
  const reader = { bytes, at: start };
  const step = Math.max(1, count / most);
  const ordinals: number[] = [];
  for (let ordinal = -1, place = 0, next = 0; reader.at < end && ordinals.length < most; place++) {
    const value = readVarint(reader);
    if ((value & 1) === 0) reader.at++;
    ordinal += value >>> 1;
    if (place < next) continue;
    ordinals.push(ordinal);
    next += step;
  }
  return ordinals;
}

/** Finds a term in a bucket, which repeats: hash, number of postings, size of the postings, postings. */
export function findInBucket(bytes: Buffer, hash: number): PostingList | undefined {
  const reader = { bytes, at: 0 };
  while (reader.at < bytes.length) {
    const found = bytes.readUInt32BE(reader.at);
    reader.at += 4;
    const count = readVarint(reader);
    const size = readVarint(reader);
    if (reader.at + size > bytes.length) throw damaged();
    if (found === hash) return { bytes, start: reader.at, end: reader.at + size, count };
    reader.at += size;
  }
  return undefined;
}

/** Writes the lengths of chunks in ascending order as repeated: increase, number of chunks. */
export function writeLengths(writer: ByteWriter, lengths: Uint32Array): void {
  let previous = 0;
  for (let start = 0, end = 0; start < lengths.length; start = end) {
    const length = lengths[start] as number;
    for (end = start + 1; lengths[end] === length; end++);
    writer.writeVarint(length - previous);
    writer.writeVarint(end - start);
    previous = length;
  }
}

/** Reads the lengths of chunks: the ordinal after the last chunk of each length. */
export function readLengths(bytes: Buffer): { length: number; end: number }[] {
  const reader = { bytes, at: 0 };
  const runs: { length: number; end: number }[] = [];
  for (let length = 0, end = 0; reader.at < bytes.length; ) {
    length += readVarint(reader);
    end += readVarint(reader);
    runs.push({ length, end });
  }
  return runs;
}

/** Reads what `ByteWriter` has written. */
export function readVarint(reader: { bytes: Uint8Array; at: number }): number {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = reader.bytes[reader.at++];
    // Otherwise a search would never end.
    if (byte === undefined) throw damaged();
    value |= (byte & 0x7f) << shift;
    if (byte <= 0x7f) return value >>> 0;
  }
}

const damaged = () => new Error('The search index is damaged: a posting list ends too early.');
