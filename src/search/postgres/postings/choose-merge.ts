/** Segments below this length are rewritten with every change: a few hundred chunks. */
export const SMALL_SEGMENT = 65_536;
/** A segment of this length is full: 64 MB of postings while it is built. */
export const FULL_SEGMENT = 8_000_000;
/** Segments are merged once the smaller ones are together so many times as long as the larger one. */
const GROWTH = 3;
/** Share of chunks that have changed or gone from which on a segment is rewritten. */
export const MAX_DEAD_SHARE = 0.2;
/** And how long it may have some: it holds words of text that was deleted. */
export const MAX_DEAD_HOURS = 24;

export interface SegmentSize {
  id: number;
  chunks: number;
  dead: number;
  /** Whether it has had dead ones for too long. */
  isOverdue: boolean;
  /** In terms. */
  length: number;
}

/**
 * Chooses which segments of a dataset become one: a large one with all that are smaller, so that of several versions
 * of a chunk the latest stays. Each merge makes a segment four times as long, so that a chunk is rewritten about
 * log4(dataset / small) times and a search reads a few segments for each power of four (a log-structured merge tree
 * with tiers: O'Neil and others, 1996).
 *
 * @returns the segments to be merged; none if all are well as they are
 */
export function chooseMerge(segments: SegmentSize[]): SegmentSize[] {
  const largestFirst = segments.toSorted((a, b) => b.length - a.length || a.id - b.id);
  const start = largestFirst.findIndex(({ chunks, dead, isOverdue, length }, i) => {
    if (isOverdue) return true;
    if (dead > 0 && (length <= SMALL_SEGMENT || dead > chunks * MAX_DEAD_SHARE)) return true;
    const smaller = largestFirst.slice(i + 1);
    if (smaller.length === 0 || length >= FULL_SEGMENT / 2) return false;
    return length <= SMALL_SEGMENT || smaller.reduce((sum, one) => sum + one.length, 0) >= GROWTH * length;
  });
  return start < 0 ? [] : largestFirst.slice(start);
}
