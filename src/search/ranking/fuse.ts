import type { CosineScale } from '../../../db/schema.js';
import type { Candidate, LogOdds } from '../chunk-index.js';
import { bestFirst } from './rank.js';
import { BY_MEANING, BY_WORDS_AND_MEANING } from './score-weights.js';

/** A model whose questions are hardly nearer to their answers than to others says little. */
const LEAST_GAP = 0.01;
/** The place of a text without a vector: as near as an answer, so that the words decide. */
const WITHOUT_VECTOR = 1;

/**
 * Scores candidates by words and by meaning: the sum of what both say, as the probability that people judge such a chunk
 * to be relevant. It depends on the question and the chunk alone, so that other candidates change nothing.
 *
 * @param found candidates by words, scored by BM25 as a share of a perfect match
 * @param cosines of candidates whose text is embedded, by chunk, also of those that were not found by words
 * @param scale what cosines mean
 * @returns all of them, best first, with scores from 0 to 1
 */
export function fuseScores(
  found: Candidate[],
  cosines: ReadonlyMap<string, number>,
  scale: CosineScale,
): Candidate[] {
  const shares = new Map(found.map(({ chunkId, score }) => [chunkId, score]));
  return [...new Set([...shares.keys(), ...cosines.keys()])]
    .map((chunkId) => {
      const words = shares.get(chunkId) ?? 0;
      const meaning = cosines.get(chunkId);
      const place = meaning === undefined ? WITHOUT_VECTOR : placeOf(meaning, scale);
      return { chunkId, words, ...(meaning !== undefined && { meaning }), place };
    })
    .map(({ place, ...parts }) => scored(parts, toLogOdds(BY_WORDS_AND_MEANING, parts.words, place)))
    .sort(bestFirst);
}

/** The same by meaning alone. */
export const scoreByMeaning = (cosines: ReadonlyMap<string, number>, scale: CosineScale): Candidate[] =>
  [...cosines]
    .map(([chunkId, meaning]) =>
      scored({ chunkId, meaning }, toLogOdds(BY_MEANING, 0, placeOf(meaning, scale))),
    )
    .sort(bestFirst);

/** 0 where a cosine is that of a question with any text, 1 where it is that of a question with its answer. */
const placeOf = (cosine: number, { unrelated, related }: CosineScale): number =>
  (cosine - unrelated) / Math.max(LEAST_GAP, related - unrelated);

const toLogOdds = (weights: LogOdds, words: number, place: number): LogOdds => ({
  base: weights.base,
  words: weights.words * words,
  meaning: weights.meaning * place,
});

function scored(parts: Omit<Candidate, 'score'>, logOdds: LogOdds): Candidate {
  const sum = logOdds.base + logOdds.words + logOdds.meaning;
  return { ...parts, score: 1 / (1 + Math.exp(-sum)), logOdds };
}
