import type { Candidate } from '../chunk-index.js';
import { bestFirst } from '../ranking/rank.js';

const MEANING_WEIGHT = 0.5;

/**
 * Scores candidates by words and by meaning: BM25 as a share of the best one's, and the cosine between the least and the
 * greatest of the candidates, so that neither the length of the list nor the model decides their weights. A candidate
 * without a cosine keeps its score by words on that scale.
 *
 * @param candidates scored by BM25
 * @param cosines of those whose text is embedded, by chunk
 * @returns the same candidates, best first, with scores from 0 to 1
 */
export function fuseScores(candidates: Candidate[], cosines: ReadonlyMap<string, number>): Candidate[] {
  const best = Math.max(...candidates.map(({ score }) => score));
  const least = Math.min(...cosines.values());
  const range = Math.max(...cosines.values()) - least;
  return candidates
    .map(({ chunkId, score }) => {
      const byWords = score / best;
      const found = cosines.get(chunkId);
      if (found === undefined || range === 0) return { chunkId, score: byWords };
      const byMeaning = (found - least) / range;
      return { chunkId, score: (1 - MEANING_WEIGHT) * byWords + MEANING_WEIGHT * byMeaning };
    })
    .sort(bestFirst);
}
