import type { Candidate } from '../chunk-index.js';
import { bestFirst } from './rank.js';

const MEANING_WEIGHT = 0.5;
/** Of a perfect match: where the best candidate reaches less, words say little, and count less. */
const LEAST_BEST = 0.5;

/**
 * Scores candidates by words and by meaning: BM25 as a share of the best one's, or of half a perfect match where that is
 * more, and the cosine between the least and the greatest of the candidates, so that neither the length of the list nor
 * the model decides their weights. A candidate without a cosine keeps its score by words on that scale; one that was not
 * found by words has none.
 *
 * @param found candidates by words, scored by BM25 as a share of a perfect match
 * @param cosines of candidates whose text is embedded, by chunk, also of those that were not found by words
 * @returns all of them, best first, with scores from 0 to 1
 */
export function fuseScores(found: Candidate[], cosines: ReadonlyMap<string, number>): Candidate[] {
  const best = Math.max(LEAST_BEST, ...found.map(({ score }) => score));
  const byWords = new Map(found.map(({ chunkId, score }) => [chunkId, score / best]));
  const least = Math.min(...cosines.values());
  const range = Math.max(...cosines.values()) - least;
  return [...new Set([...byWords.keys(), ...cosines.keys()])]
    .map((chunkId) => {
      const words = byWords.get(chunkId) ?? 0;
      const meaning = cosines.get(chunkId);
      if (meaning === undefined) return { chunkId, score: words, words };
      // Cosines that are all the same change nothing.
      const share = range > 0 ? (meaning - least) / range : (byWords.get(chunkId) ?? 1);
      return { chunkId, score: (1 - MEANING_WEIGHT) * words + MEANING_WEIGHT * share, words, meaning };
    })
    .sort(bestFirst);
}

/** Scores candidates by their cosines alone, best first; those in the opposite direction by 0. */
export const scoreByMeaning = (cosines: ReadonlyMap<string, number>): Candidate[] =>
  [...cosines]
    .map(([chunkId, meaning]) => ({ chunkId, score: Math.min(1, Math.max(0, meaning)), meaning }))
    .sort(bestFirst);
