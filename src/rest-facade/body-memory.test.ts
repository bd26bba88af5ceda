import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import express, { type RequestHandler } from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limitBodyMemory } from './body-memory.js';
import { errorHandler } from './error-handler.js';
import { parseJsonBody } from './json-body.js';

const LIMIT = 100_000;
const MAX_BYTES = 400_000;

let port: number;
let stop: () => void;
/** Whole bodies, whose requests are answered once a test says so. */
const unanswered: (() => void)[] = [];

beforeAll(async () => {
  const app = express();
  const nameClient: RequestHandler = (req, res, next) => {
    res.locals.client = req.get('x-client');
    next();
  };
  const memory = limitBodyMemory(MAX_BYTES);
  const read = parseJsonBody(LIMIT, memory);
  app.post('/held', nameClient, ...read, (_req, res) => void unanswered.push(() => res.json('read')));
  app.post('/call', nameClient, ...read, (_req, res) => {
    const call = new Promise<void>((resolve) => unanswered.push(resolve));
    void memory.during(res, call).then(() => res.json('read'));
  });
  app.post('/', nameClient, ...read, (_req, res) => void res.json('read'));
  app.use(errorHandler(() => {}));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  stop = () => void server.close();
});

afterAll(() => stop());

function open(client: string, path = '/', headers = {}): ClientRequest {
  return request({
    port,
    path,
    method: 'POST',
    headers: { 'x-client': client, 'content-type': 'application/json', ...headers },
  });
}

async function answerOf(req: ClientRequest): Promise<{ status: number | undefined; body: unknown }> {
  const [res] = await once(req, 'response');
  let text = '';
  for await (const part of res) text += part;
  return { status: res.statusCode, body: JSON.parse(text) };
}

const send = (client: string, body: string | Buffer, headers = {}) => {
  const req = open(client, '/', headers);
  req.end(body);
  return answerOf(req);
};

const BODY = `"${'x'.repeat(99_000)}"`;
const READ = { status: 200, body: 'read' };
const REFUSED = {
  status: 503,
  body: {
    detail: [
      {
        type: 'unavailable',
        loc: [],
        msg: 'The server holds too many large request bodies. Send fewer at a time.',
      },
    ],
  },
};

test('a client holds half of the bytes at most, others find some, and they are free again after the answers', async () => {
  const held = [open('a', '/held'), open('a', '/held')];
  for (const req of held) req.end(BODY);
  const answers = held.map(answerOf);
  await expect.poll(() => unanswered.length).toBe(2);
  expect(await send('a', BODY)).toEqual(REFUSED);
  expect(await send('a', '"small"')).toEqual(READ);
  expect(await send('b', BODY)).toEqual(READ);
  for (const answer of unanswered.splice(0)) answer();
  expect(await Promise.all(answers)).toEqual([READ, READ]);
  expect(await send('a', BODY)).toEqual(READ);
});

/** Starts one body after the other, none of which ends, until a whole one is refused. */
async function fill(client: string, start: string | Buffer, headers = {}): Promise<ClientRequest[]> {
  const started: ClientRequest[] = [];
  const startOne = () => {
    const req = open(client, '/', headers).on('error', () => {});
    started.push(req);
    req.write(start);
    return send(client, BODY);
  };
  await expect.poll(startOne).toEqual(REFUSED);
  return started;
}

test('bodies that never end count, and are free again when their client leaves', async () => {
  for (const req of await fill('c', BODY.slice(0, 70_000))) req.destroy();
  await expect.poll(() => send('c', BODY)).toEqual(READ);
});

test('what a call works with counts until it has ended, also where its client has left', async () => {
  const left = [open('e', '/call'), open('e', '/call')];
  for (const req of left) req.on('error', () => {}).end(BODY);
  await expect.poll(() => unanswered.length).toBe(2);
  for (const req of left) req.destroy();
  for (let i = 0; i < 5; i++) expect(await send('e', BODY)).toEqual(REFUSED);
  for (const end of unanswered.splice(0)) end();
  await expect.poll(() => send('e', BODY)).toEqual(READ);
});

test.each(['__proto__', 'constructor', 'zstd'])('an unknown encoding is refused: %s', async (encoding) => {
  expect(await send('f', BODY, { 'content-encoding': encoding })).toEqual({
    status: 415,
    body: {
      detail: [
        {
          type: 'unsupported_media_type',
          loc: ['body'],
          msg: `unsupported content encoding "${encoding}"`,
        },
      ],
    },
  });
});

test.each(['gzip', 'deflate', 'br'])('damaged bytes are refused: %s', async (encoding) => {
  const { status } = await send('g', Buffer.from([0x0b, ...Array(1_000).fill(0)]), {
    'content-encoding': encoding,
  });
  expect(status).toBe(422);
});

test('what is unpacked counts, and is limited while it is unpacked', async () => {
  const gzip = { 'content-encoding': 'gzip' };
  const packed = gzipSync(BODY);
  for (const req of await fill('d', packed.subarray(0, -8), gzip)) req.destroy();
  await expect.poll(() => send('d', packed, gzip)).toEqual(READ);
  expect((await send('d', gzipSync(' '.repeat(LIMIT + 1)), gzip)).status).toBe(413);
  expect(await send('d', 'no gzip', gzip)).toEqual({
    status: 422,
    body: { detail: [{ type: 'value_error', loc: ['body'], msg: 'incorrect header check' }] },
  });
});
