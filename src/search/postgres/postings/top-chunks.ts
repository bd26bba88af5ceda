import type { SegmentChunk } from '../../ranking/read-chunk-terms.js';

/** Some chunks of segments. */
export type SegmentOrdinals = ReadonlyMap<number, Uint32Array>;

/** Leaves of the values of a segment's chunks those of some chunks; the others are 0 then. */
export function keepOnly(values: Float32Array, chunks: number, ordinals: Uint32Array): void {
  const kept = new Float32Array(chunks);
  for (const ordinal of ordinals) if (ordinal < chunks) kept[ordinal] = values[ordinal] as number;
  values.set(kept);
}

/**
 * Collects the chunks with the highest values. Whatever beats the threshold is kept; when twice as many are there as are
 * wanted, the better half stays and raises it.
 */
export class TopChunks {
  #found: (SegmentChunk & { score: number })[] = [];
  #threshold = 0;

  constructor(readonly count: number) {}

  /** Values that are not above it are left out; at first 0. */
  get threshold(): number {
    return this.#threshold;
  }

  /**
   * @param values of chunks of a segment, by their ordinals
   * @param chunks how many of the values count
   */
  collect(segmentId: number, values: Float32Array, chunks: number): void {
    for (let ordinal = 0; ordinal < chunks; ordinal++) {
      const value = values[ordinal] as number;
      if (value > this.#threshold) this.add(segmentId, ordinal, value);
    }
  }

  add(segmentId: number, ordinal: number, score: number): void {
    if (score <= this.#threshold) return;
    this.#found.push({ segmentId, ordinal, score });
    if (this.#found.length === 2 * this.count) this.#keepBest();
  }

  /** Best first. */
  finish(): SegmentChunk[] {
    this.#keepBest();
    return this.#found;
  }

  #keepBest(): void {
    this.#found = this.#found.sort((a, b) => b.score - a.score || a.ordinal - b.ordinal).slice(0, this.count);
    if (this.#found.length === this.count) this.#threshold = this.#found.at(-1)?.score ?? 0;
  }
}
