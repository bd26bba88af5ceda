import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { allOf, serve } from '../../test/support/http-server.js';

const many = (count: number, value = '1') =>
  Array.from({ length: count }, (_, i) => `X-${i}: ${value}\r\n`).join('');
/** A request with that many headers. */
const get = (headers: number, last = '') =>
  `GET /${headers} HTTP/1.1\r\nHost: x\r\n${many(headers - 1)}${last}\r\n`;

/** A server that answers with the number of headers that handlers see. */
async function counting() {
  const listener: RequestListener = (req, res) => {
    req.resume().on('end', () => res.end(`${Object.keys(req.headers).length}`));
  };
  const { server, connect } = await serve(listener);
  let requests = 0;
  server.prependListener('request', () => (requests += 1));
  return {
    requests: () => requests,
    say(text: string) {
      const socket = connect();
      socket.write(text);
      return allOf(socket);
    },
  };
}

const statuses = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
const bodies = (text: string) => text.match(/(?<=\r\n\r\n)[^\r]*?(?=HTTP\/|$)/g);

const TOO_MANY = {
  detail: [{ type: 'too_large', loc: [], msg: 'The request has more than 100 headers; send fewer.' }],
};

test('a request with more than 100 headers is refused after those before it, and nothing behind it is read', async () => {
  const { say, requests } = await counting();
  const text = await say(get(2) + get(100) + get(101) + get(1).repeat(100));
  expect(statuses(text)).toEqual([200, 200, 431]);
  const [first, second, refusal] = bodies(text)!;
  expect([first, second, JSON.parse(refusal!)]).toEqual(['2', '100', TOO_MANY]);
  expect(requests()).toBe(3);
});

/** Newer versions of Node.js refuse them themselves, and before they know of anything else that is wrong with a request. */
test('of many requests with many headers at most one is parsed', async () => {
  const { say, requests } = await counting();
  expect(statuses(await say(get(300).repeat(20)))).toEqual([431]);
  expect(requests()).toBeLessThanOrEqual(1);
});

test.each([
  ['waits for 100 Continue', 'Expect: 100-continue\r\nContent-Length: 2\r\n', ''],
  ['has an expectation', 'Expect: tea\r\n', ''],
  ['has a long body', 'Content-Length: 1000000\r\n', 'x'.repeat(1_000_000)],
  ['has a second host', 'Host: other\r\n', ''],
])('a request with too many headers is refused where it %s', async (_name, last, body) => {
  const { say } = await counting();
  for (const count of [101, 300]) expect(statuses(await say(get(count, last) + body))).toEqual([431]);
});

test.each([
  ['a second length', 'Content-Length: 1\r\nContent-Length: 2\r\n'],
  ['a length and chunks', 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n'],
])('no number of headers hides %s', async (_name, last) => {
  const { say } = await counting();
  expect(statuses(await say(get(90, last)))).toEqual([400]);
  for (const count of [101, 300])
    expect([[400], [431]]).toContainEqual(statuses(await say(get(count, last))));
});

const post = (trailers: number) =>
  `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n${many(trailers)}\r\n`;

test.each([0, 1])(
  'nothing behind a request with many trailers is read, with %i requests before it',
  async (before) => {
    const { say, requests } = await counting();
    const text = await say(get(2).repeat(before) + post(1_000) + post(1_000).repeat(20));
    // Newer versions of Node.js refuse that one.
    expect([[200], [431]]).toContainEqual(statuses(text).slice(before));
    expect(statuses(text).slice(0, before)).toEqual(Array(before).fill(200));
    expect(requests()).toBe(before + 1);
  },
);

test('trailers are no headers', async () => {
  const { say } = await counting();
  const text = await say(post(90) + get(100) + get(3, 'Connection: close\r\n'));
  expect([statuses(text), bodies(text)]).toEqual([
    [200, 200, 200],
    ['2', '100', '4'],
  ]);
});
