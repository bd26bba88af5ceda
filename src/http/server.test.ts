import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { createHttpServer, type HttpServerOptions } from './server.js';

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const answerWhenRead: RequestListener = (req, res) => {
  req.resume();
  req.on('end', () => res.end('done'));
};

async function serve(listener: RequestListener, options: Partial<HttpServerOptions> = {}) {
  const lines: string[] = [];
  const server = createHttpServer(listener, {
    requestTimeoutMs: 60_000,
    maxConnections: 100,
    maxConnectionsPerAddress: 100,
    isShared: () => false,
    checkIntervalMs: 20,
    log: pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) }),
    ...options,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const connect = () => {
    const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
    closers.push(() => socket.destroy());
    return socket;
  };
  return { connect, lines };
}

/** All that a server says until it closes the connection. */
async function allOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  socket.on('error', () => {});
  await new Promise((resolve) => socket.on('close', resolve));
  return text;
}

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

test('closes connections above the limit and warns once', async () => {
  const { connect, lines } = await serve(answerWhenRead, { maxConnections: 2 });
  const [first, second] = [connect(), connect()];
  await Promise.all([once(first, 'connect'), once(second, 'connect')]);
  for (let i = 0; i < 3; i++) expect(await allOf(connect())).toBe('');
  first.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(String(await once(first, 'data'))).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(lines).toEqual([
    {
      level: 40,
      time: expect.any(Number),
      maxConnections: 2,
      msg: 'turning connections away: there are as many as allowed',
    },
  ]);
  second.destroy();
});
