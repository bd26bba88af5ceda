import { z } from 'zod';
import { readRetryAfter } from '../../retry-after.js';
import { EmbeddingError } from './errors.js';
import { toUnitLength } from './vectors.js';

/** Of a number in an answer, and of all that surrounds the vectors. */
const MAX_NUMBER_BYTES = 32;
const MAX_OTHER_BYTES = 64 * 1024;
const MAX_DIMENSIONS = 8_192;
/** Of what an endpoint says about a failure, in the message of an error. */
const MAX_REASON_LENGTH = 300;

/** An endpoint that speaks OpenAI's `/v1/embeddings`, and the model that is asked for. */
export interface EmbeddingEndpoint {
  /** Of the API, such as `http://127.0.0.1:11434/v1`. */
  url: string;
  apiKey?: string | undefined;
  model: string;
  /** Asked for, and expected; those of the model if undefined. */
  dimensions?: number | undefined;
}

export interface EmbeddedTexts {
  /** Of unit length, in the order of the texts. */
  vectors: Float32Array[];
  /** As the endpoint counts them; an estimate where it does not say. */
  tokens: number;
}

const answer = z.object({
  data: z.array(z.object({ index: z.int().optional(), embedding: z.array(z.number()) })),
  usage: z.object({ total_tokens: z.number().optional(), prompt_tokens: z.number().optional() }).optional(),
});

/**
 * Embeds texts by one request.
 *
 * @param texts none of them empty
 * @throws EmbeddingError, also for an answer with too few vectors, other dimensions or numbers that are none
 */
export async function embedTexts(
  { url, apiKey, model, dimensions }: EmbeddingEndpoint,
  texts: string[],
  signal: AbortSignal,
): Promise<EmbeddedTexts> {
  const response = await send();
  const maxBytes = MAX_OTHER_BYTES + texts.length * (dimensions ?? MAX_DIMENSIONS) * MAX_NUMBER_BYTES;
  if (!response.ok) throw await toError(response);
  const parsed = answer.safeParse(parseJson(await readText(response, maxBytes)));
  if (!parsed.success) throw unusable(`not the answer of an embedding endpoint`);
  const { data, usage } = parsed.data;
  if (data.length !== texts.length) throw unusable(`${data.length} vectors for ${texts.length} texts`);
  const vectors = new Array<Float32Array>(texts.length);
  for (const [place, { index = place, embedding }] of data.entries()) {
    const expected = dimensions ?? data[0]?.embedding.length ?? 0;
    if (dimensions !== undefined && embedding.length !== dimensions)
      throw new EmbeddingError('other-dimensions', otherDimensions(embedding.length, dimensions));
    if (embedding.length !== expected || expected === 0 || expected > MAX_DIMENSIONS)
      throw unusable(`a vector of ${embedding.length} dimensions in place of ${expected}`);
    const vector = toUnitLength(Float32Array.from(embedding));
    if (!vector) throw unusable('a vector of zeros, or of numbers that are not finite');
    vectors[index] = vector;
  }
  if (Object.keys(vectors).length !== texts.length) throw unusable('two vectors for one text');
  return { vectors, tokens: usage?.total_tokens ?? usage?.prompt_tokens ?? estimateTokens(texts) };

  async function send(): Promise<Response> {
    try {
      return await fetch(new URL('embeddings', url.endsWith('/') ? url : `${url}/`), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({ model, input: texts, encoding_format: 'float', dimensions }),
        redirect: 'error',
        signal,
      });
    } catch (error) {
      throw toUnavailable(error);
    }
  }
}

/** A few characters are a token, in whatever script. */
export const estimateTokens = (texts: string[]): number =>
  texts.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / 4), 0);

async function toError(response: Response): Promise<EmbeddingError> {
  const { status, headers } = response;
  const reason = await readReason(response);
  const message = `The embedding endpoint answered ${status}${reason ? `: ${reason}` : ''}.`;
  const details = { status, retryAfterMs: readRetryAfter(headers.get('retry-after')) };
  if (status === 429) return new EmbeddingError('limited', message, details);
  if (status === 400 || status === 413 || status === 422)
    return new EmbeddingError('text-refused', message, details);
  if (status >= 400 && status < 500 && status !== 408) return new EmbeddingError('refused', message, details);
  return new EmbeddingError('unavailable', message, details);
}

const failure = z.object({ error: z.union([z.string(), z.object({ message: z.string() })]) });

async function readReason(response: Response): Promise<string> {
  const text = await readText(response, MAX_OTHER_BYTES).catch(() => '');
  const parsed = failure.safeParse(parseJson(text));
  if (!parsed.success) return '';
  const { error } = parsed.data;
  return (typeof error === 'string' ? error : error.message).slice(0, MAX_REASON_LENGTH).replace(/\.$/, '');
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of response.body ?? []) {
      size += part.length;
      if (size > maxBytes) throw unusable('more bytes than the vectors can have');
      parts.push(part);
    }
  } catch (error) {
    throw error instanceof EmbeddingError ? error : toUnavailable(error);
  }
  return Buffer.concat(parts).toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const otherDimensions = (given: number, wanted: number) =>
  `The embedding endpoint gives vectors of ${given} dimensions, not of ${wanted}. Set EMBEDDING_DIMENSIONS to what the model can give, or leave it out.`;

const unusable = (what: string) =>
  new EmbeddingError('unavailable', `The embedding endpoint's answer cannot be used: ${what}.`);

function toUnavailable(error: unknown): EmbeddingError {
  const { name, message, cause } = error as Error;
  const isTimeout = name === 'TimeoutError' || name === 'AbortError';
  const reason = isTimeout ? 'no answer in time' : ((cause as Error | undefined)?.message ?? message);
  return new EmbeddingError('unavailable', `The embedding endpoint does not answer: ${reason}.`, {
    cause: error,
  });
}
