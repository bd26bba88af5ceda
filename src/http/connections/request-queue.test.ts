import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { allOf, serve } from '../../../test/support/http-server.js';
import { endPipeline } from './request-queue.js';

const THIS_FILE = fileURLToPath(import.meta.url);
/** Requests of a connection that wait, and the one before them. */
const HELD = 33;

const get = (path: number | string, headers = '') => `GET /${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const getAll = (count: number) => Array.from({ length: count }, (_, i) => get(i)).join('');
const echo: RequestListener = (req, res) => res.end(req.url);
/** Paths that were answered, in order; each has a Content-Length or is the last. */
const answered = (text: string) =>
  [...text.matchAll(/\r\n\r\n\/(\w+?)(?=HTTP\/|$)/g)].map(([, path]) => path);
const upTo = (count: number) => Array.from({ length: count }, (_, i) => String(i));

/** Until then the server has read what was sent before. */
async function otherIsAnswered(other: Socket): Promise<void> {
  other.write('NONSENSE\r\n\r\n');
  await allOf(other);
}

/** A listener that leaves responses to the test. */
function holding() {
  const held: { url: string; res: ServerResponse }[] = [];
  const listener: RequestListener = (req, res) => void held.push({ url: req.url ?? '', res });
  return {
    listener,
    urls: () => held.map(({ url }) => url),
    async response(index: number): Promise<ServerResponse> {
      await expect.poll(() => held.length).toBeGreaterThan(index);
      return held[index]!.res;
    },
  };
}

test('handles requests of a connection one after another', async () => {
  const { listener, urls, response } = holding();
  const { connect } = await serve(listener);
  const socket = connect();
  socket.write(get('a') + get('b') + get('c', 'Connection: close\r\n'));
  const text = allOf(socket);
  for (const [index, path] of ['a', 'b', 'c'].entries()) {
    const res = await response(index);
    expect(urls()).toEqual(['/a', '/b', '/c'].slice(0, index + 1));
    expect(res.socket).not.toBeNull();
    res.end(`/${path}`);
  }
  expect(answered(await text)).toEqual(['a', 'b', 'c']);
});

test('answers many requests that come in pieces, and reads on', async () => {
  const { connect } = await serve(echo);
  const socket = connect();
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  for (let round = 1; round <= 20; round++) {
    socket.write(getAll(HELD));
    await expect.poll(() => answered(text).length).toBe(round * HELD);
  }
  expect(answered(text)).toEqual(Array.from({ length: 20 }, () => upTo(HELD)).flat());
});

test('answers as many requests as may wait, and closes the connection', async () => {
  const { connect } = await serve(echo);
  for (const surplus of [
    '',
    'POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\nab',
  ]) {
    const socket = connect();
    socket.write(getAll(HELD) + surplus + getAll(1_500));
    const text = await allOf(socket);
    expect(answered(text)).toEqual(upTo(HELD));
    expect(text.match(/^Connection: close\r\n/gim)).toHaveLength(1);
    expect(text.slice(text.lastIndexOf('HTTP/1.1'))).toMatch(/\r\nConnection: close\r\n/i);
  }
});

test('answers fewer requests where they have many headers', async () => {
  const { server, connect } = await serve(echo);
  let parsed = 0;
  server.prependListener('request', () => (parsed += 1));
  for (const [headers, count] of [
    [5, 33],
    [20, 11],
    [100, 3],
  ] as const) {
    parsed = 0;
    const socket = connect();
    socket.write(get('a', 'X: 1\r\n'.repeat(headers - 1)).repeat(50));
    expect(answered(await allOf(socket))).toEqual(Array(count).fill('a'));
    expect(parsed).toBe(count);
  }
});

test('sends large answers before it closes the connection', async () => {
  const large = 'x'.repeat(300_000);
  const { connect } = await serve(
    (_req, res) =>
      void createReadStream(THIS_FILE)
        .on('close', () => {
          res.write(large);
          res.once('drain', () => res.end(large));
        })
        .resume(),
  );
  const socket = connect();
  socket.write(getAll(1_000));
  expect((await allOf(socket)).length).toBeGreaterThan(HELD * 2 * large.length);
});

test('clients that send without end and read nothing leave no open file', async () => {
  const files = async () => (await readdir('/proc/self/fd')).length;
  const { connect } = await serve((_req, res) => pipeline(createReadStream('/dev/zero'), res, () => {}));
  const before = await files();
  const sockets = Array.from({ length: 4 }, () => connect().pause());
  for (const socket of sockets) socket.write(getAll(2_000));
  await expect.poll(files).toBe(before + 3 * sockets.length);
  for (const socket of sockets) socket.destroy();
  await expect.poll(files).toBe(before);
});

test('handles nothing for a client that left', async () => {
  const { listener, urls, response } = holding();
  const { connect } = await serve(listener);
  const socket = connect();
  socket.write(getAll(3));
  const res = await response(0);
  const isClosed = once(res, 'close');
  socket.destroy();
  await isClosed;
  const other = connect();
  other.write(get('other'));
  await response(1);
  expect(urls()).toEqual(['/0', '/other']);
});

test('ends the answer of a client that left, however many requests stood behind it', async () => {
  const { listener, urls, response } = holding();
  const { connect } = await serve(listener);
  const socket = connect();
  socket.write(getAll(HELD + 10));
  const isClosed = once(await response(0), 'close');
  socket.end().resume();
  await isClosed;
  expect(urls()).toEqual(['/0']);
});

describe('behind the last answer of a connection', () => {
  /** A listener whose first answer is the last, as soon as the test says so. */
  function ending() {
    const { listener, ...held } = holding();
    const reqs: IncomingMessage[] = [];
    return {
      ...held,
      listener: ((req, res) => {
        reqs.push(req);
        listener(req, res);
      }) satisfies RequestListener,
      end: () => endPipeline(reqs[0]!),
    };
  }

  test('requests are dropped, and the connection is closed after it', async () => {
    for (const [before, after] of [
      [20, 0],
      [0, 20],
      [20, 20],
    ] as const) {
      const { listener, urls, response, end } = ending();
      const { connect } = await serve(listener);
      const socket = connect();
      socket.write(get('stream') + getAll(before));
      const text = allOf(socket);
      const res = await response(0);
      end();
      res.write('/');
      socket.write(getAll(after));
      await otherIsAnswered(connect());
      res.end('stream');
      expect(await text).toMatch(/\r\n1\r\n\/\r\n6\r\nstream\r\n0\r\n\r\n$/);
      expect(urls()).toEqual(['/stream']);
    }
  });

  test('a request that comes later is answered', async () => {
    const { listener, response, end } = ending();
    const { connect } = await serve(listener);
    const socket = connect();
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    socket.write(get('stream'));
    const res = await response(0);
    end();
    res.end('/stream');
    await expect.poll(() => text).toMatch(/\/stream$/);
    socket.write(get('next'));
    (await response(1)).end('/next');
    await expect.poll(() => answered(text)).toEqual(['stream', 'next']);
  });
});

test('handles nothing after an answer that closes the connection', async () => {
  const { listener, urls, response } = holding();
  const { connect } = await serve(listener);
  const socket = connect();
  socket.write(getAll(3));
  const text = allOf(socket);
  (await response(0)).setHeader('Connection', 'close').end('/0');
  expect(answered(await text)).toEqual(['0']);
  expect(urls()).toEqual(['/0']);
});

test('starts each request without the asynchronous context of the one before', async () => {
  const storage = new AsyncLocalStorage<string>();
  const { connect } = await serve((req, res) => {
    const before = storage.getStore() ?? 'none';
    storage.run(req.url ?? '', () => setImmediate(() => res.end(`/${before}`)));
  });
  const socket = connect();
  socket.write(getAll(3) + get('last', 'Connection: close\r\n'));
  expect(answered(await allOf(socket))).toEqual(['none', 'none', 'none', 'none']);
});

test('reads bodies of requests that waited', async () => {
  const body = 'x'.repeat(500_000);
  const { connect } = await serve(async (req, res) => {
    let length = 0;
    for await (const data of req) length += data.length;
    res.end(`/${length}`);
  });
  const post = (headers = '') =>
    `POST / HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
  const socket = connect();
  socket.write(get('').repeat(20) + post() + get('').repeat(20) + post() + post('Connection: close\r\n'));
  const lengths = answered(await allOf(socket));
  const gets = Array(20).fill('0');
  expect(lengths).toEqual([...gets, '500000', ...gets, '500000', '500000']);
});

test('tells a client to continue when its request is handled', async () => {
  const { listener, response } = holding();
  const { connect } = await serve(listener);
  const socket = connect();
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  socket.write(`${get('a')}POST /b HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n`);
  (await response(0)).end('/a');
  await response(1);
  await expect.poll(() => text).toMatch(/\/aHTTP\/1\.1 100 Continue\r\n\r\n$/);
});

const statuses = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

test.each([
  ['nonsense', 'NONSENSE\r\n\r\n', [200, 200, 400]],
  [
    'a request that stays incomplete',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab',
    [200, 200, 408],
  ],
  [
    'a body with a bad chunk',
    'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    [200, 200, 400],
  ],
  ['an expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n', [200, 200, 417]],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', [200, 200, 400]],
])('answers what comes before %s', async (_name, text, expected) => {
  const { listener, response } = holding();
  const { connect } = await serve(listener, { requestTimeoutMs: 1_000 });
  const socket = connect();
  const all = allOf(socket);
  socket.write(getAll(2) + text);
  const first = await response(0);
  first.write('/0');
  // Until the server has read the rest: it responds at once where it can.
  await otherIsAnswered(connect());
  first.end();
  (await response(1)).end('/1');
  expect(statuses(await all)).toEqual(expected);
});

test('shutdown lets slow clients read their answers, and those of waiting requests', async () => {
  const large = 'x'.repeat(20_000_000);
  const { server, connect } = await serve((_req, res) => res.end(large));
  const socket = connect();
  socket.write(get('a') + get('b', 'Connection: close\r\n'));
  await once(socket, 'readable');
  server.close();
  server.closeIdleConnections();
  expect((await allOf(socket)).length).toBeGreaterThan(2 * large.length);
});
