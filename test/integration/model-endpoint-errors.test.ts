import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../src/logging/log.js';
import { toOperatorMessage } from '../../src/model-endpoint/operator-message.js';
import { embedTexts } from '../../src/search/embedding/endpoint.js';
import { rerankTexts } from '../../src/search/reranking/endpoint.js';
import { useApp } from '../support/app.js';
import { embeddingConfig, startEmbeddingServer } from '../support/embedding-server.js';
import { type Fault, startJsonServer } from '../support/json-server.js';
import { startRerankServer } from '../support/rerank-server.js';
import { findDatabaseUrl, runCommand } from '../support/run-command.js';
import { waitFor } from '../support/wait-for.js';
import { createRestClient, TENANT_UNIT } from './support/rest-client.js';

/* What is told of the errors of providers and servers that speak these protocols: their status, and our words. */

const embedder = await startEmbeddingServer();
const reranker = await startRerankServer();
let fault: Fault;
const server = await startJsonServer(() => ({ fault }));
afterAll(() => server.close());

/** What each row's answer repeats: nothing with it may be told. */
const SECRET = 'sk-Ab1x9';
const TEXT = 'Confessions of a mask';

const openAi = (message: string, type: string, code: string | null, param: string | null = null) => ({
  error: { message, type, param, code },
});

const KEY = 'it refuses the key, or asks for one. Check EMBEDDING_API_KEY.';
const QUOTA = 'the quota of the account is used up. Check the plan and the billing of the account.';
const LIMIT = 'too many requests. Check the limits of the account.';
const MODEL =
  'it has no such model or address. Check EMBEDDING_MODEL, and that EMBEDDING_URL is the address of the API, which mostly ends with /v1.';
const LONG = 'the input is too long. Choose a model that reads longer texts, or a smaller CHUNK_SIZE.';
const REFUSED = 'it refuses the request. Check EMBEDDING_MODEL and EMBEDDING_DIMENSIONS.';
const FAILS = 'it fails. Check EMBEDDING_URL, and whether the endpoint runs.';

test.each<[provider: string, status: number, body: unknown, told: string]>([
  [
    'OpenAI: wrong key',
    401,
    openAi(`Wrong key: ${SECRET}.`, 'invalid_request_error', 'invalid_api_key'),
    KEY,
  ],
  ['OpenAI: no credit', 429, openAi('Over quota.', 'insufficient_quota', 'insufficient_quota'), QUOTA],
  ['OpenAI: too fast', 429, openAi('Slow down.', 'tokens', 'rate_limit_exceeded'), LIMIT],
  ['OpenAI: no such model', 404, openAi('Unknown.', 'invalid_request_error', 'model_not_found'), MODEL],
  ['OpenAI: no access', 403, openAi('Not yours.', 'invalid_request_error', 'model_not_found'), MODEL],
  ['OpenAI: too long', 400, openAi(TEXT, 'invalid_request_error', 'context_length_exceeded'), LONG],
  ['OpenAI: too many', 400, openAi(TEXT, 'max_tokens_per_request', 'max_tokens_per_request'), LONG],
  ['OpenAI: without a code', 400, openAi(TEXT, 'invalid_request_error', null, 'input'), REFUSED],
  ['Azure: no such deployment', 404, { error: { code: 'DeploymentNotFound', message: 'Not there.' } }, MODEL],
  ['Ollama: no such model', 404, openAi('Pull it.', 'not_found_error', null), MODEL],
  ['Ollama: too long', 400, openAi(TEXT, 'invalid_request_error', null), REFUSED],
  ['Ollama: fails', 500, openAi('Its runner ended.', 'api_error', null), FAILS],
  ['Ollama: its own API', 400, { error: TEXT }, REFUSED],
  [
    'vLLM: too long',
    400,
    { object: 'error', message: TEXT, type: 'BadRequestError', param: null, code: 400 },
    REFUSED,
  ],
  [
    'vLLM: no such model',
    404,
    { error: { message: 'Unknown.', type: 'NotFoundError', param: 'model', code: 404 } },
    MODEL,
  ],
  ['vLLM: wrong key', 401, { error: 'Unauthorized' }, KEY],
  ['TEI: too long', 413, { message: TEXT, code: 413, type: 'Validation' }, LONG],
  ['TEI: no text', 422, { message: TEXT, code: 422, type: 'Tokenizer' }, REFUSED],
  ['TEI: overloaded', 429, { message: 'Overloaded.', code: 429, type: 'Overloaded' }, LIMIT],
  ['TEI: model failed', 424, { message: 'Out of memory.', code: 424, type: 'Backend' }, FAILS],
  ['TEI: not ready', 503, { message: 'Unhealthy.', code: 503, type: 'Unhealthy' }, FAILS],
  [
    'Infinity: no such model',
    400,
    { error: { message: 'ModelNotDeployedError', type: null, param: null, code: 400 } },
    REFUSED,
  ],
  [
    'Infinity: fails',
    500,
    { error: { message: `InternalServerError: ${TEXT}`, type: null, param: null, code: 500 } },
    FAILS,
  ],
  [
    'llama.cpp: too long',
    400,
    {
      error: { code: 400, message: TEXT, type: 'exceed_context_size_error', n_prompt_tokens: 9, n_ctx: 8 },
    },
    LONG,
  ],
  ['llama.cpp: loads', 503, { error: { code: 503, message: 'Loading.', type: 'unavailable_error' } }, FAILS],
  ['Mistral: too many', 400, { object: 'error', message: TEXT, type: 'invalid_request_error' }, REFUSED],
  ['Jina: wrong key', 401, { detail: `Wrong key ${SECRET}` }, KEY],
  ['Jina: no credit', 402, { detail: 'Recharge.' }, QUOTA],
  ['Jina: too many', 422, { detail: [{ loc: ['body', 'input'], msg: TEXT, type: 'value_error' }] }, REFUSED],
  ['Voyage AI: too many', 400, { detail: TEXT }, REFUSED],
  ['a proxy: not a page', 404, '<html>404</html>', MODEL],
  [
    'a proxy: timed out',
    504,
    '<html>504</html>',
    'it was not ready in time. Check EMBEDDING_URL, and whether the endpoint runs.',
  ],
  ['a code that is no code', 400, { error: { code: 'constructor', type: '__proto__' } }, REFUSED],
  ['null', 400, null, REFUSED],
])('of an embedding endpoint, %s', async (_, status, body, told) => {
  fault = { status, body: typeof body === 'string' ? body : JSON.stringify(body) };
  const endpoint = { url: server.address, model: 'words' };
  const message = await embedTexts(endpoint, [TEXT], AbortSignal.timeout(30_000)).then(
    () => 'answered',
    toOperatorMessage,
  );
  expect(message).toBe(`The embedding endpoint answered ${status}: ${told}`);
});

const RERANK_KEY = 'it refuses the key, or asks for one. Check RERANK_API_KEY.';

test.each<[provider: string, status: number, body: unknown, told: string]>([
  ['Cohere: wrong key', 401, { message: `invalid ${SECRET}` }, RERANK_KEY],
  ['Cohere: no credit', 402, { message: 'Pay.' }, QUOTA],
  ['Cohere: trial key', 429, { message: 'Slow down.' }, LIMIT],
  ['Cohere: field', 422, { id: '1', message: TEXT }, 'it refuses the request. Check RERANK_MODEL.'],
  ['Cohere: filtered', 498, { message: TEXT }, 'it refuses the request. Check RERANK_MODEL.'],
  ['TEI: too long', 413, { error: TEXT, error_type: 'Validation' }, LONG],
  [
    'TEI: not a reranker',
    424,
    { error: 'Not a classifier.', error_type: 'Backend' },
    'it fails. Check RERANK_URL, and whether the endpoint runs.',
  ],
  ['Jina: wrong key', 401, { detail: SECRET }, RERANK_KEY],
])('of a rerank endpoint, %s', async (_, status, body, told) => {
  fault = { status, body: JSON.stringify(body) };
  const endpoint = { url: server.address, model: 'cross' };
  const message = await rerankTexts(endpoint, '?', [TEXT], AbortSignal.timeout(30_000)).then(
    () => 'answered',
    toOperatorMessage,
  );
  expect(message).toBe(`The rerank endpoint answered ${status}: ${told}`);
});

describe('an endpoint that answers', () => {
  let respond: (socket: Socket) => void;
  const peer = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => respond(socket));
  });
  beforeAll(() => once(peer.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => peer.close());
  const endpoint = () => ({ url: `http://127.0.0.1:${(peer.address() as AddressInfo).port}/v1`, model: 'm' });
  const embed = (ms = 30_000) => embedTexts(endpoint(), [TEXT], AbortSignal.timeout(ms));
  const message = (asked: Promise<unknown>) =>
    asked.then(
      () => 'answered',
      (error: Error) => `${error.name}: ${error.message}`,
    );

  const EARLY = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
  const OK = 'HTTP/1.1 200 OK\r\n';
  const VECTOR = JSON.stringify({ data: [{ embedding: [1, 0] }] });
  /** For as long as the connection lasts. */
  const repeat = (lines: string) => (socket: Socket) => {
    const part = lines.repeat(Math.ceil(65_536 / lines.length));
    const write = () => {
      while (!socket.destroyed && socket.write(part));
    };
    socket.on('drain', write);
    write();
  };

  test.each([
    ['103', EARLY],
    ['100', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('nothing but %s is not listened to', async (_, lines) => {
    respond = repeat(lines);
    const rerank = rerankTexts(endpoint(), '?', [TEXT], AbortSignal.timeout(30_000));
    const told = (name: string) =>
      `EndpointError: The ${name} endpoint's answer cannot be used: more than 16 interim responses.`;
    expect(await Promise.all([message(embed()), message(rerank)])).toEqual([
      told('embedding'),
      told('rerank'),
    ]);
  });

  test.each<[what: string, head: string, body: string | Buffer]>([
    ['some interim responses first', EARLY.repeat(3) + OK, VECTOR],
    ['compressed', `${OK}Content-Encoding: gzip\r\n`, gzipSync(VECTOR)],
  ])('%s is heard', async (_, head, body) => {
    respond = (socket) => {
      socket.write(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`);
      socket.write(body);
    };
    expect(await embed()).toEqual({ vectors: [Float32Array.of(1, 0)], tokens: expect.any(Number) });
  });

  test.each<[what: string, answer: string, told: string]>([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'HPE_INVALID_CONSTANT'],
    ['half', `${OK}Content-Length: 99\r\n\r\n{"data":`, 'ECONNRESET'],
  ])('%s has failed', async (_, answer, told) => {
    respond = (socket) => socket.end(answer);
    expect(await message(embed())).toBe(`EndpointError: The embedding endpoint does not answer: ${told}.`);
  });

  test('a change of the protocol has failed', async () => {
    respond = (socket) => socket.write(`HTTP/1.1 101 Change\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n`);
    expect(await message(embed())).toBe(
      "EndpointError: The embedding endpoint's answer cannot be used: a change of the protocol.",
    );
  });

  test.each([
    ['no more than a head', `${OK}Content-Length: 99\r\n\r\n`],
    ['no more than a part', `${OK}Content-Length: 99\r\n\r\n{"data":`],
    ['no more than interim responses', EARLY],
  ])('%s is given up in time', async (_, answer) => {
    respond = (socket) => socket.write(answer);
    const told = 'EndpointError: The embedding endpoint does not answer: no answer in time.';
    expect(await message(embed(100))).toBe(told);
  });

  test('with a redirect is not followed', async () => {
    respond = (socket) =>
      socket.write(`HTTP/1.1 307 Go\r\nLocation: ${server.address}\r\nContent-Length: 0\r\n\r\n`);
    expect(await message(embed())).toMatch(/^EndpointError: The embedding endpoint answered 307: /);
  });

  test('more than is allowed is cut off', async () => {
    respond = (socket) => {
      socket.write(`${OK}\r\n`);
      repeat('x')(socket);
    };
    const limit = 64 * 1024 + 8_192 * 32;
    expect(await message(embed())).toBe(
      `EndpointError: The embedding endpoint's answer cannot be used: more than ${limit} bytes.`,
    );
  });
});

describe('what endpoints say that repeat texts and keys', () => {
  const KEY_SHOWN = 'sk-proj-Ab1**********************9xYz';
  const lines: { level: number; msg: string; said?: string }[] = [];
  const log = createLog({
    level: 'debug',
    secrets: ['the-configured-key'],
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  const echo = (texts: string[]): Fault => ({
    status: 400,
    body: JSON.stringify({
      error: { message: `${KEY_SHOWN} the-configured-key: ${texts.join()} ${'x'.repeat(10_000)}` },
    }),
  });
  afterAll(() => Promise.all([embedder.close(), reranker.close()]));
  const app = useApp(
    {
      embedding: embeddingConfig({ url: embedder.url, model: 'words' }, { searchTimeoutMs: 30_000 }),
      reranking: {
        endpoint: { url: reranker.url, apiKey: undefined, model: 'cross' },
        timeoutMs: 30_000,
      },
    },
    { log },
  );
  const rest = createRestClient(app);
  const status = async () => (await app.trpc().search.status.query()).embedding;
  const TOLD =
    'The embedding endpoint answered 400: it refuses the request. Check EMBEDDING_MODEL and EMBEDDING_DIMENSIONS.';

  let documentId: string;
  beforeAll(async () => {
    embedder.state.fault = ({ texts }) => (texts.some((one) => one.includes(TEXT)) ? echo(texts) : undefined);
    reranker.state.fault = echo;
    const { id } = await rest.createDocument({ documentContent: `${TEXT}, a novel.` }, ['faq']);
    documentId = id;
    await rest.createDocument({ documentContent: 'A heron stands in the lake.' }, ['faq']);
    await app.settle();
    await waitFor(async () => (await status())?.failed === 1, { what: 'the text to fail' });
    await waitFor(async () => (await status())?.waiting === 1, { what: 'the other text to be embedded' });
    await rest.askSearch(`${TEXT}, a novel?`);
  });

  test('are told to no caller', async () => {
    const [chunk] = await rest.listChunks(documentId);
    expect(await status()).toMatchObject({ errors: [{ chunkId: chunk.id, error: TOLD }] });
    const search = { scope: TENANT_UNIT, datasetIds: ['faq'], query: 'heron', topK: 1 };
    const explained = await app
      .trpc()
      .search.explain.query({ ...search, chunk: { documentId, chunkId: chunk.id } });
    expect(explained.chunk?.reasons).toContain(`Its text could not be embedded: ${TOLD}`);
    const metrics = await (await fetch(`${app.address}/metrics`)).text();
    expect(metrics).toContain('lectern_');
    const env = {
      DATABASE_URL: await findDatabaseUrl(app.db),
      EMBEDDING_URL: embedder.url,
      EMBEDDING_MODEL: 'words',
    };
    const command = await runCommand('status', [], env);
    expect(command.stdout).toContain(TOLD);
    const stored = await app.db.selectFrom('embeddingQueue').select('error').execute();
    expect(stored).toEqual([{ error: 'bad-request 400' }]);
    const told = JSON.stringify([await status(), explained, metrics, command, stored]);
    expect(told).not.toContain(TEXT);
    expect(told).not.toContain('sk-');
  });

  test('are in the log at level debug alone, without keys and not at length', () => {
    const said = lines.filter((line) => line.said !== undefined);
    expect(said.length).toBeGreaterThan(1);
    for (const line of said) {
      expect(line).toMatchObject({ level: 20, msg: 'a model endpoint failed', status: 400 });
      expect(line.said).toContain('sk-… …: ');
      expect(line.said?.length).toBeLessThanOrEqual(300);
    }
    const others = JSON.stringify(lines.filter((line) => line.said === undefined));
    expect(others).toContain('a search goes on without what an endpoint refused');
    expect(others).not.toContain(TEXT);
    expect(others).not.toContain('sk-');
  });

  test('are not told where a former release has stored them', async () => {
    await app.db
      .updateTable('embeddingQueue')
      .set({ error: `The embedding endpoint answered 400: ${TEXT} ${KEY_SHOWN}.` })
      .execute();
    expect(await status()).toMatchObject({ errors: [{ error: 'The embedding endpoint did not embed it.' }] });
  });
});
