import type { Candidate } from '../chunk-index.js';

/**
 * Orders candidates by the scores of a reranker. Those without one follow in their order, below the least of these.
 *
 * @param candidates best first
 * @param scores by chunk, on the scale of a model: probabilities or logits
 * @returns the same candidates, with descending scores from 0 to 1
 */
export function orderByScores(candidates: Candidate[], scores: ReadonlyMap<string, number>): Candidate[] {
  const isProbability = [...scores.values()].every((score) => score >= 0 && score <= 1);
  const toProbability = (score: number) => (isProbability ? score : 1 / (1 + Math.exp(-score)));
  const scored = candidates
    .flatMap((candidate) => {
      const rerank = scores.get(candidate.chunkId);
      return rerank === undefined
        ? []
        : [{ ...withoutLogOdds(candidate), score: toProbability(rerank), rerank }];
    })
    .sort((a, b) => b.rerank - a.rerank);
  const least = scored.at(-1)?.score ?? 1;
  const others = candidates
    .filter(({ chunkId }) => !scores.has(chunkId))
    .map((candidate) => ({ ...withoutLogOdds(candidate), score: candidate.score * least }));
  return [...scored, ...others];
}

/** They make another score. */
const withoutLogOdds = ({ logOdds, ...candidate }: Candidate): Candidate => candidate;
