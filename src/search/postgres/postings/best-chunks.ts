import { setImmediate } from 'node:timers/promises';
import type { CorpusStatistics, QueryWeights } from '../../ranking/bm25.js';
import { lengthNorm } from '../../ranking/bm25.js';
import type { SegmentChunk } from '../../ranking/read-chunk-terms.js';
import { type LengthRuns, PostingCursor, readLengths, ScoreWindow } from './posting-format.js';
import type { FoundPostings } from './read-postings.js';
import { type SegmentOrdinals, TopChunks } from './top-chunks.js';

/** Scored together: their scores stay in the processor's cache. */
const CHUNKS_OF_WINDOW = 4_096;
/** Scored and collected in a fraction of a millisecond: a request that comes meanwhile waits for several steps. */
const WINDOWS_OF_STEP = 16;

interface Scored {
  segments: FoundPostings['segments'];
  weights: QueryWeights;
  corpus: Pick<CorpusStatistics, 'averageLength'>;
  /** Of the chunks that count, by segment; all if undefined. */
  ordinals?: SegmentOrdinals | undefined;
}

/**
 * The chunks of some segments with the highest BM25 scores without pairs, best first: exact, but for frequencies above
 * 255. Of equal ones in a segment the shortest, which come first there. Other work of the event loop runs in between.
 */
export async function findBestChunks(asked: Scored, count: number): Promise<SegmentChunk[]> {
  const best = new TopChunks(count);
  let windows = 0;
  for (const { segmentId, window } of scoreWindows(asked, best)) {
    best.collect(segmentId, window);
    if (++windows % WINDOWS_OF_STEP === 0) await setImmediate();
  }
  return best.finish();
}

/** All chunks that have a word of the query. */
export function findMatching(asked: Scored): SegmentOrdinals {
  const found = new Map<number, number[]>();
  for (const { segmentId, window } of scoreWindows(asked)) {
    const ordinals = found.get(segmentId) ?? [];
    for (const place of window.places.subarray(0, window.count)) ordinals.push(window.start + place);
    if (ordinals.length > 0) found.set(segmentId, ordinals);
  }
  return new Map([...found].map(([segmentId, ordinals]) => [segmentId, Uint32Array.from(ordinals).sort()]));
}

/**
 * Scores one window of chunks after the other. Windows without a term are left out, and what cannot get above the threshold,
 * as only common terms are in it. (Strohman and Croft, "Efficient document retrieval in main memory", 2007, for the windows;
 * Turtle and Flood, "Query evaluation: strategies and optimizations", 1995, for the terms that are not enough.)
 */
function* scoreWindows(
  { segments, weights, corpus, ordinals }: Scored,
  best: Pick<TopChunks, 'threshold'> = { threshold: 0 },
) {
  const window = new ScoreWindow(CHUNKS_OF_WINDOW);
  for (const { id: segmentId, chunks, lengths, postings } of segments) {
    const counted = ordinals?.get(segmentId);
    if (postings.size === 0 || (ordinals && !counted)) continue;
    const runs = toRuns(lengths, corpus);
    const cursors = [...postings]
      .map(([place, list]) => new PostingCursor(list, runs, weights.terms[place] ?? 0))
      .sort((a, b) => b.weight - a.weight);
    const marks = counted && new CountedMarks(counted);
    for (;;) {
      const enough = countEnough(cursors, best.threshold);
      let next = chunks;
      for (let i = 0; i < enough; i++) next = Math.min(next, (cursors[i] as PostingCursor).next);
      if (marks) next = marks.after(next) ?? chunks;
      if (next >= chunks) break;
      window.moveTo(next, chunks);
      const isCounted = marks?.moveTo(window);
      for (const [i, cursor] of cursors.entries()) cursor.addScores(window, i < enough, isCounted);
      yield { segmentId, window };
    }
  }
}

/** How many of the terms with the highest weights a chunk must hold one of to get above the threshold. */
function countEnough(cursors: PostingCursor[], threshold: number): number {
  let [count, rest] = [cursors.length, 0];
  for (; count > 0; count--) {
    rest += (cursors[count - 1] as PostingCursor).weight;
    if (rest > threshold) break;
  }
  return count;
}

function toRuns(bytes: Buffer, corpus: Scored['corpus']): LengthRuns {
  const runs = readLengths(bytes);
  const norms = runs.map(({ length }) => lengthNorm(length, corpus));
  return {
    ends: Uint32Array.from(runs, ({ end }) => end),
    norms: Float32Array.from(norms),
    single: Float32Array.from(norms, (norm) => 1 / (1 + norm)),
  };
}

/** Marks the chunks of a window that count. Windows come in ascending order. */
class CountedMarks {
  readonly #marks = new Uint8Array(CHUNKS_OF_WINDOW);
  #at = 0;

  /** @param ordinals of a segment, in ascending order */
  constructor(readonly ordinals: Uint32Array) {}

  /** The first one that is not before a chunk. */
  after(ordinal: number): number | undefined {
    while ((this.ordinals[this.#at] ?? ordinal) < ordinal) this.#at++;
    return this.ordinals[this.#at];
  }

  /** @returns 1 for each that counts from the one that was found last on */
  moveTo({ start, end }: ScoreWindow): Uint8Array {
    this.#marks.fill(0);
    for (let i = this.#at; (this.ordinals[i] ?? end) < end; i++)
      this.#marks[(this.ordinals[i] as number) - start] = 1;
    return this.#marks;
  }
}
