import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Config } from '../../src/config.js';

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
  ...{ queryPrefix: '', passagePrefix: '', batchSize: 8, concurrency: 2, searchTimeoutMs: 2_000 },
  previousApiKey: undefined,
  ...{ requestsPerMinute: undefined, tokensPerMinute: undefined, tokenQuota: undefined },
  ...fields,
});

export interface EmbeddingRequest {
  model: string;
  texts: string[];
  /** That were asked for. */
  dimensions: number | undefined;
  authorization: string | undefined;
}

/** A failure: an answer, or none at all. */
export type Fault = { status: number; headers?: Record<string, string>; body?: string } | 'reset' | 'hang';

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
  const server = createServer((req, res) => {
    answer(req, res).catch(() => res.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { model, input, dimensions } = JSON.parse(await text(req)) as {
      model: string;
      input: string[];
      dimensions?: number;
    };
    const request = { model, texts: input, dimensions, authorization: req.headers.authorization };
    state.requests.push(request);
    const fault = await state.fault?.(request);
    if (fault === 'hang') return;
    if (fault === 'reset') return void res.destroy();
    if (fault) return void res.writeHead(fault.status, fault.headers).end(fault.body ?? '');
    if (input.some(({ length }) => length > state.maxLength)) {
      const message = `This model reads at most ${state.maxLength} characters.`;
      return send(res, 400, { error: { message, code: 'context_length_exceeded' } });
    }
    const found: Answer = {
      data: input.map((one, index) => ({ index, embedding: embedWords(one, state.dimensions) })),
      usage: { total_tokens: input.reduce((sum, one) => sum + wordsOf(one).length, 0) },
    };
    send(res, 200, state.distort ? state.distort(found) : found);
  }

  const { port: listening } = server.address() as AddressInfo;
  return {
    state,
    port: listening,
    url: `http://127.0.0.1:${listening}/v1`,
    /** All texts that were asked for so far. */
    texts: () => state.requests.flatMap(({ texts }) => texts),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Answer {
  data: { index: number; embedding: number[] }[];
  usage: { total_tokens: number };
}

function send(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
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
