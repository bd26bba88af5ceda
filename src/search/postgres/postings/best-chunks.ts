import { setImmediate } from 'node:timers/promises';
import type { CorpusStatistics, QueryWeights } from '../../ranking/bm25.js';
import { lengthNorm } from '../../ranking/bm25.js';
import type { SegmentChunk } from '../../ranking/read-chunk-terms.js';
import { readLengths } from './posting-format.js';
import type { FoundPostings, FoundSegment } from './read-postings.js';
import { CHUNKS_OF_WINDOW, type LengthRuns, ScoreWindow, type WeightedList } from './score-window.js';
import { type SegmentOrdinals, TopChunks } from './top-chunks.js';

/** Scored and collected in a fraction of a millisecond: a request that comes meanwhile waits for several steps. */
const WINDOWS_OF_STEP = 16;
/** What it takes to find the windows of a segment's lists, as a number of windows. */
const WINDOWS_OF_SEGMENT = 8;

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
  const pause = async () => {
    windows = 0;
    await setImmediate();
  };
  for (const segment of asked.segments) {
    windows += WINDOWS_OF_SEGMENT;
    if (windows >= WINDOWS_OF_STEP) await pause();
    for (const window of scoreWindows(segment, asked, best)) {
      best.collect(segment.id, window);
      if (++windows >= WINDOWS_OF_STEP) await pause();
    }
  }
  return best.finish();
}

/** All chunks that have a word of the query. */
export function findMatching(asked: Scored): SegmentOrdinals {
  const found = new Map<number, Uint32Array>();
  for (const segment of asked.segments) {
    const ordinals: number[] = [];
    for (const window of scoreWindows(segment, asked)) {
      for (const place of window.places.subarray(0, window.count)) ordinals.push(window.start + place);
    }
    if (ordinals.length > 0) found.set(segment.id, Uint32Array.from(ordinals).sort());
  }
  return found;
}

/**
 * Scores one window of chunks after the other. Those are left out in which no chunk gets above the threshold: even with all
 * terms, as often as they are there, in a chunk that is as short as the shortest, or with what the rarer terms gave.
 * (Strohman and Croft, "Efficient document retrieval in main memory", 2007, for the windows; Turtle and Flood, "Query
 * evaluation: strategies and optimizations", 1995, for the terms that are not enough.)
 */
function* scoreWindows(
  { id, chunks, lengths, postings }: FoundSegment,
  { weights, corpus, ordinals }: Omit<Scored, 'segments'>,
  best: Pick<TopChunks, 'threshold'> = { threshold: 0 },
) {
  const counted = ordinals?.get(id);
  if (postings.size === 0 || (ordinals && !counted)) return;
  const marks = counted && new CountedMarks(counted);
  const window = new ScoreWindow(toRuns(lengths, corpus), chunks);
  const lists = [...postings]
    .map(([place, list]) => ({ list, weight: weights.terms[place] ?? 0, bound: 0 }))
    .sort((a, b) => b.weight - a.weight);
  for (let index = 0; window.moveTo(index); index++) {
    for (const list of lists) list.bound = window.boundOf(list);
    const enough = countEnough(lists, best.threshold);
    const isCounted = marks?.moveTo(window);
    if (enough === 0 || (marks && !isCounted)) continue;
    let rest = 0;
    for (let i = enough; i < lists.length; i++) rest += (lists[i] as WeightedList).bound;
    for (let i = 0; i < lists.length; i++) {
      const list = lists[i] as WeightedList;
      if (i >= enough) {
        if (window.highest() + rest <= best.threshold) break;
        rest -= list.bound;
      }
      window.addScores(list, i < enough, isCounted);
    }
    yield window;
  }
}

/** How many of the terms with the highest weights a chunk must hold one of to get above the threshold. */
function countEnough(lists: WeightedList[], threshold: number): number {
  let [count, rest] = [lists.length, 0];
  for (; count > 0; count--) {
    rest += (lists[count - 1] as WeightedList).bound;
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

  /** @returns 1 for each that counts; undefined where none does */
  moveTo({ start, end }: ScoreWindow): Uint8Array | undefined {
    const { ordinals } = this;
    while ((ordinals[this.#at] ?? start) < start) this.#at++;
    if ((ordinals[this.#at] ?? end) >= end) return undefined;
    this.#marks.fill(0);
    for (; (ordinals[this.#at] ?? end) < end; this.#at++)
      this.#marks[(ordinals[this.#at] as number) - start] = 1;
    return this.#marks;
  }
}
