import type { SegmentChunk } from '../../ranking/read-chunk-terms.js';
import type { ScoreWindow } from './score-window.js';

/** Some chunks of segments, in ascending order. */
export type SegmentOrdinals = ReadonlyMap<number, Uint32Array>;

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

  collect(segmentId: number, { start, scores, places, count }: ScoreWindow): void {
    const above: number[] = [];
    for (let i = 0; i < count; i++) {
      const place = places[i] as number;
      if ((scores[place] as number) > this.#threshold) above.push(place);
    }
    // Of equal scores, the first ordinals are kept.
    above.sort((a, b) => a - b);
    for (const place of above) this.add(segmentId, start + place, scores[place] as number);
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
