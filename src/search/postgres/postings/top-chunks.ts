import type { SegmentChunk } from '../../ranking/read-chunk-terms.js';

/** Some chunks of segments. */
export type SegmentOrdinals = ReadonlyMap<number, Uint32Array>;

/** Leaves of the values of a segment's chunks those of some chunks; the others are 0 then. */
export function keepOnly(
  values: Float32Array,
  chunks: number,
  ordinals: Uint32Array,
  { first = 0 }: { first?: number } = {},
): void {
  const kept = new Float32Array(chunks);
  for (const ordinal of ordinals) {
    const place = ordinal - first;
    if (place >= 0 && place < chunks) kept[place] = values[place] as number;
  }
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

  /**
   * @param values of chunks of a segment, from the one with the ordinal `first` on; those that are not above 0 are left out
   * @param chunks how many of the values count
   */
  collect(segmentId: number, values: Float32Array, chunks: number, first = 0): void {
    for (let i = 0; i < chunks; i++) {
      const score = values[i] as number;
      if (score <= this.#threshold) continue;
      this.#found.push({ segmentId, ordinal: first + i, score });
      if (this.#found.length === 2 * this.count) this.#keepBest();
    }
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
