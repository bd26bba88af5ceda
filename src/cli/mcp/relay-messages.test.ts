import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { relayMessages } from './relay-messages.js';

async function serve(answer: RequestListener): Promise<URL> {
  const server = createServer(answer);
  onTestFinished(() => void server.close().closeAllConnections());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}

function relay(endpoint: URL, deadlineMs?: number) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const ended = relayMessages(
    { endpoint, key: undefined, ...(deadlineMs && { deadlineMs }) },
    { input, output },
  );
  return { input, output, ended: ended.finally(() => output.end()) };
}

const line = (id: number, more: object = {}) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping', ...more })}\n`;
const cancelled = (requestId: number) =>
  `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })}\n`;
const failure = (id: number | null, message: unknown, code = -32_000) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});
const PONG = { jsonrpc: '2.0', id: 1, result: {} };

/** What is answered to an input that ends. */
async function answersTo(endpoint: URL, lines: string, deadlineMs?: number) {
  const { input, output, ended } = relay(endpoint, deadlineMs);
  input.end(lines);
  const [answers] = await Promise.all([answersOf(output), ended]);
  return answers;
}
const answersOf = async (output: PassThrough) =>
  (await text(output))
    .split('\n')
    .filter(Boolean)
    .map((one) => JSON.parse(one));

const answering =
  (status: number, type: string, body: string | Buffer, headers = {}): RequestListener =>
  (_, res) =>
    res.writeHead(status, { 'content-type': type, ...headers }).end(body);
const [JSON_TYPE, EVENTS] = ['application/json', 'text/event-stream'];
const MIB = 2 ** 20;
const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

test.each([
  ['a batch', `[${line(1).trim()}]\n`],
  ['a text', '"ping"\n'],
  ['null', 'null\n'],
  ['deep lists', `${deep(MIB)}\n`],
])('a line that is %s is no message', async (_, lines) => {
  const endpoint = await serve(answering(200, JSON_TYPE, JSON.stringify(PONG)));
  const fault = failure(null, 'Send one message of JSON-RPC in a line.', -32_600);
  expect(await answersTo(endpoint, lines + line(1))).toEqual([fault, PONG]);
});

test.each([
  ['half of one', '{"jsonrpc":"2.0","id":1,'],
  ['bytes', '\u0000\ufffd\u0007\n'],
])('a line that is %s is no JSON', async (_, lines) => {
  const endpoint = await serve(answering(200, JSON_TYPE, JSON.stringify(PONG)));
  expect(await answersTo(endpoint, lines)).toEqual([failure(null, 'This is no JSON.', -32_700)]);
});

const NOTHING =
  /^http:\/\/127\.0\.0\.1:\d+ answered 2\d\d, but no message of MCP\. Is --url the address of a Lectern server\?$/;

test.each<[string, RequestListener, RegExp]>([
  ['a page', answering(200, 'text/html', '<html>'), NOTHING],
  ['nothing', answering(202, JSON_TYPE, ''), NOTHING],
  ['null', answering(200, JSON_TYPE, 'null'), NOTHING],
  ['half an answer', answering(200, JSON_TYPE, '{"jsonrpc":"2.0",'), NOTHING],
  ['a batch', answering(200, JSON_TYPE, `[${JSON.stringify(PONG)}]`), NOTHING],
  ['the answer of another message', answering(200, JSON_TYPE, JSON.stringify({ ...PONG, id: 2 })), NOTHING],
  ['no events', answering(200, EVENTS, ': nothing\n\n'), NOTHING],
  ['events of no JSON', answering(200, EVENTS, 'data: <html>\n\ndata: null\n\n'), NOTHING],
  ['what is no gzip', answering(200, JSON_TYPE, 'x', { 'content-encoding': 'gzip' }), NOTHING],
  ['a redirection', answering(307, 'text/html', '', { location: 'http://192.0.2.1/' }), /answered 307\. Is/],
  ['an error of a proxy', answering(502, 'text/html', '<html>'), /answered 502\. Is/],
  [
    'a large answer that was packed',
    answering(200, JSON_TYPE, gzipSync(Buffer.alloc(100 * MIB, ' ')), { 'content-encoding': 'gzip' }),
    /does not answer: more than 32 MiB$/,
  ],
  ['the end of the connection', (_, res) => res.destroy(), /does not answer: other side closed$/],
  [
    'half a body',
    (_, res) => void res.writeHead(200, { 'content-length': 9 }).write('x', () => res.destroy()),
    /does not answer: other side closed$/,
  ],
  ['deep JSON', answering(200, JSON_TYPE, `{"jsonrpc":"2.0","id":1,"result":${deep(MIB)}}`), /call stack/],
])('a server that answers %s is told', async (_, answer, message) => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const answers = await answersTo(await serve(answer), line(1));
  expect(answers).toEqual([failure(1, expect.stringMatching(message))]);
  expect(stderr.mock.calls).toEqual([[`${answers[0].error.message}\n`]]);
});

test.each([
  ['an answer', JSON_TYPE, JSON.stringify(PONG)],
  ['events', EVENTS, `data: ${JSON.stringify(PONG)}\n\n`],
  ['a page', 'text/html', ''],
])('%s without an end is given up', async (_, type, start) => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const endpoint = await serve((_req, res) => {
    res.writeHead(200, { 'content-type': type }).write(start);
    pipeline(async function* () {
      for (;;) yield Buffer.alloc(MIB, ' ');
    }, res).catch(() => {});
  });
  expect(await answersTo(endpoint, line(1))).toEqual([
    failure(1, expect.stringMatching(/does not answer: more than 32 MiB$/)),
  ]);
});

test('a version that is none is not sent in later requests', async () => {
  const versions: unknown[] = [];
  const result = { protocolVersion: 'a\nb' };
  const endpoint = await serve((req, res) => {
    versions.push(req.headers['mcp-protocol-version']);
    answering(200, JSON_TYPE, JSON.stringify({ ...PONG, result }))(req, res);
  });
  const { input, output, ended } = relay(endpoint);
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  for (const method of ['initialize', 'ping']) {
    input.write(line(1, { method }));
    expect(JSON.parse((await lines.next()).value)).toEqual({ ...PONG, result });
  }
  input.end();
  await ended;
  expect(versions).toEqual([undefined, undefined]);
});

test.each<[string, RequestListener]>([
  ['answers nothing', () => {}],
  [
    'does not end its answer',
    (_, res) => void res.writeHead(200, { 'content-type': 'application/json' }).write(' '),
  ],
  [
    'sends one character after another',
    (_, res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => res.write(' '), 5);
      res.on('close', () => clearInterval(timer));
    },
  ],
  [
    'sends interim answers',
    (_, res) => {
      const timer = setInterval(() => res.writeEarlyHints({ link: '</a>; rel=preload' }), 5);
      res.on('close', () => clearInterval(timer));
    },
  ],
])('a server that %s is given up', async (_, answer) => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const endpoint = await serve(answer);
  expect(await answersTo(endpoint, line(1), 200)).toEqual([
    failure(1, `${endpoint.origin} does not answer: no answer within 0.2 seconds`),
  ]);
});

const until = (isTrue: () => boolean) => vi.waitUntil(isTrue, { timeout: 120_000 });

/** A server that answers nothing before it is released. */
async function holdAnswers() {
  const held: { id: number; res: ServerResponse }[] = [];
  const answer = ({ id, res }: (typeof held)[number]) =>
    res
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
  let hold = (one: (typeof held)[number]): unknown => held.push(one);
  const endpoint = await serve(async (req, res) => hold({ id: JSON.parse(await text(req)).id, res }));
  const release = () => {
    hold = answer;
    held.forEach(answer);
  };
  return { endpoint, held, release };
}

test('what is under way can be cancelled, and so can what waits', async () => {
  const { endpoint, held, release } = await holdAnswers();
  const { input, output, ended } = relay(endpoint);
  for (let id = 1; id <= 20; id++) input.write(line(id));
  await until(() => held.length === 16);
  input.write(cancelled(20));
  input.write(cancelled(1));
  await until(() => held.length === 17);
  expect([held[0]?.res.closed, held[16]?.id]).toEqual([true, 17]);
  release();
  input.end();
  const [answers] = await Promise.all([answersOf(output), ended]);
  expect(answers.map(({ id }) => id).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 18 }, (_, n) => n + 2),
  );
});

test('messages without an answer have so many bytes at most', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const { endpoint, held, release } = await holdAnswers();
  const { input, output, ended } = relay(endpoint);
  const padding = 'x'.repeat(15 * 2 ** 20);
  for (let id = 1; id <= 5; id++) input.write(line(id, { padding }));
  await until(() => stderr.mock.calls.length === 1 && held.length === 4);
  release();
  input.end();
  const [answers] = await Promise.all([answersOf(output), ended]);
  expect(answers[0]).toEqual(failure(5, 'Too many messages have no answer yet.'));
  expect(
    answers
      .slice(1)
      .map(({ id }) => id)
      .sort(),
  ).toEqual([1, 2, 3, 4]);
});
