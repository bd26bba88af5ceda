import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { allOf, serve } from '../../test/support/http-server.js';

const answerWhenRead: RequestListener = (req, res) => {
  req.resume();
  req.on('end', () => res.end('done'));
};

/** Sends a piece from time to time, for as long as the connection holds. */
function trickle(socket: Socket, piece: string): void {
  const sending = setInterval(() => socket.write(piece), 10);
  socket.on('close', () => clearInterval(sending));
}

const BODY_FOLLOWS = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n';

const TOO_SLOW = {
  detail: [
    {
      type: 'request_timeout',
      loc: [],
      msg: 'The request did not arrive in time; send it again, over a faster connection or with a smaller body.',
    },
  ],
};

test('times out slow headers', async () => {
  const { connect } = await serve(answerWhenRead, { headersTimeoutMs: 100 });
  const socket = connect();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
  trickle(socket, 'X-More: 1\r\n');
  const [head, body] = (await allOf(socket)).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(JSON.parse(body!)).toEqual(TOO_SLOW);
});

test('times out slow bodies', async () => {
  const named: RequestListener = (req, res) => {
    res.setHeader('X-Request-Id', 'mine');
    answerWhenRead(req, res);
  };
  const { connect } = await serve(named, { requestTimeoutMs: 2_000 });
  const socket = connect();
  socket.write(BODY_FOLLOWS);
  trickle(socket, 'a');
  const [head, body] = (await allOf(socket)).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(head).toContain('\r\nX-Request-Id: mine\r\n');
  expect(JSON.parse(body!)).toEqual(TOO_SLOW);
});

test('writes no error into a started response', async () => {
  const { connect } = await serve((_req, res) => void res.write('begun'), { requestTimeoutMs: 2_000 });
  const socket = connect();
  socket.write(BODY_FOLLOWS);
  trickle(socket, 'a');
  const text = await allOf(socket);
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(text).toContain('begun');
  expect(text).not.toContain('408');
});

test('responds to a malformed pipelined request', async () => {
  const { connect } = await serve(answerWhenRead);
  const socket = connect();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  socket.write('NONSENSE\r\n\r\n');
  expect(await allOf(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
});

test('times out clients that do not read', async () => {
  let tellClosed = () => {};
  const closed = new Promise<void>((resolve) => {
    tellClosed = resolve;
  });
  const more: RequestListener = (_req, res) => {
    res.end(Buffer.alloc(50_000_000));
    res.on('close', tellClosed);
  };
  const { connect } = await serve(more, { idleTimeoutMs: 100 });
  const socket = connect();
  socket.pause();
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await closed;
});
