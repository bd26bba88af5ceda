import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Config } from '../../src/config/config.js';
import { type Fault, startJsonServer } from './json-server.js';

const DIMENSIONS = 64;
/** Words of one meaning, in whatever script. */
const MEANINGS = [
  ['refund', 'refunds', 'reimbursed', 'money'],
  ['umbrella', 'rain', 'weather', 'forecast', 'sunshine'],
  ['doctor', 'physician', 'throat', 'treats'],
  ['train', 'railway', 'departures', 'leave'],
  ['password', 'passwords', 'log', 'login'],
];

type EmbeddingConfig = NonNullable<Config['embedding']>;

/** The configuration of an endpoint, with small batches and no limits. */
export const embeddingConfig = (
  endpoint: Partial<EmbeddingConfig['endpoint']> & { url: string; model: string },
  fields: Partial<EmbeddingConfig> = {},
): EmbeddingConfig => ({
  endpoint: { apiKey: undefined, dimensions: undefined, ...endpoint },
  queryPrefix: '',
  passagePrefix: '',
  keepsUnprefixed: false,
  batchSize: 8,
  concurrency: 2,
  searchTimeoutMs: 2_000,
  previousApiKey: undefined,
  requestsPerMinute: undefined,
  tokensPerMinute: undefined,
  tokenQuota: undefined,
  cacheBytes: 1024 * 1024,
  ...fields,
});

export interface EmbeddingRequest {
  model: string;
  texts: string[];
  /** That were asked for. */
  dimensions: number | undefined;
  authorization: string | undefined;
}

/**
 * An endpoint that speaks `/v1/embeddings`, with vectors of the words in a text: those of one meaning count as one. Its
 * faults are set by the test.
 */
export async function startEmbeddingServer({ dimensions = DIMENSIONS, port = 0 } = {}) {
  const state = {
    requests: [] as EmbeddingRequest[],
    /** What happens instead of an answer, for each request that it returns one for. */
    fault: undefined as
      | ((request: EmbeddingRequest) => Fault | undefined | Promise<Fault | undefined>)
      | undefined,
    /** Longer texts are refused. */
    maxLength: Number.POSITIVE_INFINITY,
    dimensions,
    /** Changes the answer before it is sent. */
    distort: undefined as ((answer: Answer) => unknown) | undefined,
  };
  const answer = async ({ model, input, dimensions }: any, { headers }: IncomingMessage) => {
    const request: EmbeddingRequest = {
      model,
      texts: input,
      dimensions,
      authorization: headers.authorization,
    };
    state.requests.push(request);
    const fault = await state.fault?.(request);
    if (fault) return { fault };
    if (request.texts.some(({ length }) => length > state.maxLength)) {
      const message = `This model reads at most ${state.maxLength} characters.`;
      const body = JSON.stringify({ error: { message, code: 'context_length_exceeded' } });
      return { fault: { status: 400, body } };
    }
    const found: Answer = {
      data: request.texts.map((one, index) => ({ index, embedding: embedWords(one, state.dimensions) })),
      usage: { total_tokens: request.texts.reduce((sum, one) => sum + wordsOf(one).length, 0) },
    };
    return { value: state.distort ? state.distort(found) : found };
  };
  const { address, port: listening, close } = await startJsonServer(answer, { port });

  return {
    state,
    port: listening,
    url: `${address}/v1`,
    /** All texts that were asked for so far. */
    texts: () => state.requests.flatMap(({ texts }) => texts),
    close,
  };
}

interface Answer {
  data: { index: number; embedding: number[] }[];
  usage: { total_tokens: number };
}

const wordsOf = (one: string) => one.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Each word, or the meaning that it has, adds to one dimension. */
function embedWords(one: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0.001);
  for (const word of wordsOf(one)) {
    const meaning = MEANINGS.findIndex((words) => words.includes(word));
    const place =
      meaning >= 0
        ? meaning
        : MEANINGS.length +
          (createHash('md5').update(word).digest().readUInt32BE() % (dimensions - MEANINGS.length));
    (vector[place] as number) += meaning >= 0 ? 3 : 0.2;
  }
  return vector;
}
