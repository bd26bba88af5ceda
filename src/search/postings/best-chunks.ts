import type { CorpusStatistics, QueryWeights } from '../ranking/bm25.js';
import { lengthNorm } from '../ranking/bm25.js';
import type { SegmentChunk } from '../ranking/read-chunk-terms.js';
import { addScores, mapLengths } from './posting-format.js';
import type { FoundPostings } from './read-postings.js';

/** Scores are sorted into so many bins to find the best without sorting all. */
const BINS = 4_096;

interface ScoredSegment {
  id: number;
  scores: Float32Array;
}

/**
 * Scores all chunks of some segments by BM25 without pairs: exactly, but for frequencies above 255.
 *
 * @returns gives the best so many, best first
 */
export function scoreSegments(
  { segments }: Pick<FoundPostings, 'segments'>,
  weights: QueryWeights,
  corpus: Pick<CorpusStatistics, 'averageLength'>,
): (count: number) => SegmentChunk[] {
  const scored: ScoredSegment[] = segments
    .filter(({ postings }) => postings.size > 0)
    .map(({ id, chunks, lengths, postings }) => {
      const norms = mapLengths(lengths, chunks, (length) => lengthNorm(length, corpus));
      const scores = new Float32Array(chunks);
      for (const [place, list] of postings) addScores(list, weights.terms[place] ?? 0, norms, scores);
      return { id, scores };
    });
  return (count) => selectBest(scored, count);
}

/** The chunks with the highest scores; equal ones by length, which their ordinals follow. */
function selectBest(segments: ScoredSegment[], count: number): SegmentChunk[] {
  const { binOf, lastBin } = findLastBin(segments, count);
  const found: (SegmentChunk & { score: number })[] = [];
  for (const { id, scores } of segments) {
    // Of the last bin, whose scores differ by less than a thousandth, the shortest of each segment are enough.
    let room = count;
    for (let ordinal = 0; ordinal < scores.length; ordinal++) {
      const score = scores[ordinal] as number;
      if (score <= 0) continue;
      const bin = binOf(score);
      if (bin < lastBin || (bin === lastBin && room-- <= 0)) continue;
      found.push({ segmentId: id, ordinal, score });
    }
  }
  return found
    .sort((a, b) => b.score - a.score || a.ordinal - b.ordinal || a.segmentId - b.segmentId)
    .slice(0, count);
}

/** Sorts the scores into bins, and finds the one down to which at least so many chunks are. */
function findLastBin(
  segments: ScoredSegment[],
  count: number,
): { binOf: (score: number) => number; lastBin: number } {
  let highest = 0;
  for (const { scores } of segments) {
    for (let i = 0; i < scores.length; i++)
      if ((scores[i] as number) > highest) highest = scores[i] as number;
  }
  const binOf = (score: number) => Math.floor((score / highest) * (BINS - 1));
  const bins = new Uint32Array(BINS);
  for (const { scores } of segments) {
    for (let i = 0; i < scores.length; i++) {
      const score = scores[i] as number;
      if (score > 0) (bins[binOf(score)] as number)++;
    }
  }
  let lastBin = BINS - 1;
  for (let reached = bins[lastBin] as number; reached < count && lastBin > 0; )
    reached += bins[--lastBin] as number;
  return { binOf, lastBin };
}
