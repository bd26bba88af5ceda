import { z } from 'zod';
import { byIndex } from '../../model-endpoint/by-index.js';
import { unusable } from '../../model-endpoint/endpoint-error.js';

export const ENDPOINT = 'rerank';

const scores = z.array(z.object({ index: z.int(), relevance_score: z.number() }));
const answer = z.union([
  // Jina, Cohere, vLLM, llama.cpp.
  z.object({ results: scores }).transform(({ results }) => results),
  // Voyage AI.
  z.object({ data: scores }).transform(({ data }) => data),
  // Text Embeddings Inference.
  z.array(
    z
      .object({ index: z.int(), score: z.number() })
      .transform(({ index, score }) => ({ index, relevance_score: score })),
  ),
]);

/**
 * The scores in the answer of a rerank endpoint, in the order of the texts.
 *
 * @param count of the texts
 * @throws EndpointError where it is something else, or not one finite score for each text
 */
export function readScores(found: unknown, count: number): number[] {
  const parsed = answer.safeParse(found);
  if (!parsed.success) throw unusable(ENDPOINT, 'not the answer of a rerank endpoint');
  return byIndex(ENDPOINT, parsed.data, count).map((one) => one.relevance_score);
}
