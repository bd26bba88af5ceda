import { z } from 'zod';
import { byIndex } from '../../model-endpoint/by-index.js';
import { EndpointError, unusable } from '../../model-endpoint/endpoint-error.js';
import { postJson } from '../../model-endpoint/post-json.js';
import { countTokens } from './count-tokens.js';
import { toUnitLength } from './vectors.js';

/** Of a number in an answer, and of all that surrounds the vectors. */
const MAX_NUMBER_BYTES = 32;
const MAX_OTHER_BYTES = 64 * 1024;
const MAX_DIMENSIONS = 8_192;
const ENDPOINT = 'embedding';

/** An endpoint that speaks OpenAI's `/v1/embeddings`, and the model that is asked for. */
export interface EmbeddingEndpoint {
  /** Of the API, such as `http://127.0.0.1:11434/v1`. */
  url: string;
  apiKey?: string | undefined;
  model: string;
  /** Asked for, and expected; those of the model if undefined. */
  dimensions?: number | undefined;
}

/** What vectors depend on, as configured. */
export interface EmbeddingSettings {
  endpoint: EmbeddingEndpoint;
  /** Put before each question and each passage, which some models were trained with. */
  queryPrefix: string;
  passagePrefix: string;
  /** Whether texts that were embedded without a prefix stay so: nobody has configured one. */
  keepsUnprefixed: boolean;
}

export interface EmbeddedTexts {
  /** Of unit length, in the order of the texts. */
  vectors: Float32Array[];
  /** As the endpoint counts them; an estimate where it does not say, or says what cannot be. */
  tokens: number;
}

const answer = z.object({
  data: z.array(z.object({ index: z.int().optional(), embedding: z.array(z.number()) })),
  usage: z
    .object({ total_tokens: z.unknown().optional(), prompt_tokens: z.unknown().optional() })
    .optional()
    .catch(undefined),
});

/**
 * Embeds texts by one request.
 *
 * @param texts none of them empty
 * @throws EndpointError, also for an answer with too few vectors, other dimensions or numbers that are none
 */
export async function embedTexts(
  { url, apiKey, model, dimensions }: EmbeddingEndpoint,
  texts: string[],
  signal: AbortSignal,
): Promise<EmbeddedTexts> {
  const found = await postJson({
    endpoint: ENDPOINT,
    url,
    path: 'embeddings',
    apiKey,
    signal,
    body: { model, input: texts, encoding_format: 'float', dimensions },
    maxBytes: MAX_OTHER_BYTES + texts.length * (dimensions ?? MAX_DIMENSIONS) * MAX_NUMBER_BYTES,
  });
  const parsed = answer.safeParse(found);
  if (!parsed.success) throw unusable(ENDPOINT, 'not the answer of an embedding endpoint');
  const { data, usage } = parsed.data;
  const expected = dimensions ?? data[0]?.embedding.length ?? 0;
  const answers = data.map(({ index, embedding }, place) => ({ index: index ?? place, embedding }));
  const vectors = byIndex(ENDPOINT, answers, texts.length).map(({ embedding }) => {
    if (dimensions !== undefined && embedding.length !== dimensions)
      throw new EndpointError(ENDPOINT, 'other-dimensions', otherDimensions(embedding.length, dimensions));
    if (embedding.length !== expected || expected === 0 || expected > MAX_DIMENSIONS)
      throw unusable(ENDPOINT, `a vector of ${embedding.length} dimensions in place of ${expected}`);
    const vector = toUnitLength(Float32Array.from(embedding));
    if (!vector) throw unusable(ENDPOINT, 'a vector of zeros, or of numbers that are not finite');
    return vector;
  });
  return { vectors, tokens: countTokens(texts, usage) };
}

const otherDimensions = (given: number, wanted: number) =>
  `The embedding endpoint gives vectors of ${given} dimensions, not of ${wanted}. Set EMBEDDING_DIMENSIONS to what the model can give, or leave it out.`;
