import { type PostingList, readWindows } from './posting-format.js';

/** Scored together: their scores stay in the processor's cache. */
export const CHUNKS_OF_WINDOW = 1_024;
/** Scores are single-precision numbers, which may be rounded up. */
const ROUNDING = 1 + 1e-6;

/** What BM25 needs of the chunks of a segment. Those of the same length follow each other, and are a run. */
export interface LengthRuns {
  /** The ordinal after each run's last chunk. */
  ends: Uint32Array;
  /** What a frequency is compared with, by the run's length, in ascending order. */
  norms: Float32Array;
  /** `1 / (1 + norm)`: what a term that occurs once is worth. Most do. */
  single: Float32Array;
}

/** A term of the query in a segment. */
export interface WeightedList {
  list: PostingList;
  /** Of which each score is a share. */
  weight: number;
  /** The most that a chunk of the window gets. */
  bound: number;
}

/** Chunks of a segment that follow each other, with the scores of those that hold a term. */
export class ScoreWindow {
  /** The ordinal of the first chunk, and that after the last. */
  start = 0;
  end = 0;
  /** By the place in the window; 0 for chunks without a term. */
  readonly scores = new Float32Array(CHUNKS_OF_WINDOW);
  /** The places of the chunks that have a score, in any order. */
  readonly places = new Uint16Array(CHUNKS_OF_WINDOW);
  count = 0;
  #index = 0;
  /** Of the first chunk. */
  #run = 0;

  constructor(
    readonly runs: LengthRuns,
    readonly chunks: number,
  ) {}

  /** Begins one window after the other. @returns whether there is one */
  moveTo(index: number): boolean {
    for (let i = 0; i < this.count; i++) this.scores[this.places[i] as number] = 0;
    this.count = 0;
    this.#index = index;
    this.start = index * CHUNKS_OF_WINDOW;
    this.end = Math.min(this.start + CHUNKS_OF_WINDOW, this.chunks);
    if (this.start >= this.chunks) return false;
    while (this.start >= (this.runs.ends[this.#run] as number)) this.#run++;
    return true;
  }

  /** The most that a term adds to the score of a chunk of the window; 0 where none holds it. */
  boundOf({ list, weight }: Pick<WeightedList, 'list' | 'weight'>): number {
    list.windows ??= readWindows(list, CHUNKS_OF_WINDOW);
    const frequency = list.windows.frequencies[this.#index] ?? 0;
    // The first chunk is the shortest.
    return (ROUNDING * weight * frequency) / (frequency + (this.runs.norms[this.#run] as number));
  }

  /** The highest score. */
  highest(): number {
    let highest = 0;
    for (let i = 0; i < this.count; i++) {
      const score = this.scores[this.places[i] as number] as number;
      if (score > highest) highest = score;
    }
    return highest;
  }

  /**
   * Adds a term to the BM25 scores of the chunks that hold it: `weight * frequency / (frequency + norm)`.
   *
   * @param isEnough whether the term alone gives a chunk a score; otherwise, only chunks that have one get more
   * @param isCounted 1 for each chunk of the window that may get a score; all if undefined
   */
  addScores({ list, weight, bound }: WeightedList, isEnough: boolean, isCounted?: Uint8Array): void {
    if (bound === 0 || !list.windows) return;
    const { bytes, end: stop, windows } = list;
    const { ends, norms, single } = this.runs;
    const { start, end, scores, places } = this;
    const first = windows.firsts[this.#index] as number;
    let [next, isSingle] = [first >>> 1, (first & 1) === 1];
    let at = windows.offsets[this.#index] as number;
    let [count, run] = [this.count, this.#run];
    while (next < end) {
      const frequency = isSingle ? 1 : (bytes[at++] as number);
      const place = next - start;
      const before = scores[place] as number;
      if (before > 0 || (isEnough && (!isCounted || isCounted[place] === 1))) {
        while (next >= (ends[run] as number)) run++;
        const share = isSingle ? (single[run] as number) : frequency / (frequency + (norms[run] as number));
        scores[place] = before + weight * share;
        if (before === 0) places[count++] = place;
      }
      if (at >= stop) break;
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
    this.count = count;
  }
}
