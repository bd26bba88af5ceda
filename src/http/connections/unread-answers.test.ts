import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { allOf, serve } from '../../../test/support/http-server.js';
import { nameClient } from './unread-answers.js';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
/** More than the system buffers for a connection. */
const LARGE = Buffer.alloc(20_000_000, 'x');
const large: RequestListener = (_req, res) => res.end(LARGE);

/** Sends a request whose answer is not read, and waits until it begins. */
async function askWithoutReading(socket: Socket): Promise<Socket> {
  socket.write(GET);
  await once(socket, 'readable');
  return socket;
}

const isWhole = async (socket: Socket) => (await allOf(socket)).length > LARGE.length;

test('closes the connections of the client with most unread answers, longest unread first', async () => {
  const { connect, lines } = await serve(large, { maxUnreadBytes: 75_000_000 });
  const other = await askWithoutReading(connect('127.0.0.2'));
  const sockets: Socket[] = [];
  for (let i = 0; i < 8; i++) sockets.push(await askWithoutReading(connect('127.0.0.3')));
  expect(await Promise.all(sockets.map(isWhole))).toEqual([...Array(6).fill(false), true, true]);
  expect(await isWhole(other)).toBe(true);
  expect(lines).toEqual([
    {
      level: 40,
      time: expect.any(Number),
      maxUnreadBytes: 75_000_000,
      msg: 'closing connections whose clients do not read their answers',
    },
  ]);
});

test('counts the answers of all addresses of a client together', async () => {
  const { connect } = await serve(
    (req, res) => {
      if (req.socket.remoteAddress !== '127.0.0.2') nameClient(req.socket, 'tenant acme');
      res.end(LARGE);
    },
    { maxUnreadBytes: 75_000_000 },
  );
  const other = await askWithoutReading(connect('127.0.0.2'));
  const sockets: Socket[] = [];
  for (const address of ['127.0.0.3', '127.0.0.4', '127.0.0.5'])
    sockets.push(await askWithoutReading(connect(address)));
  expect(await isWhole(other)).toBe(true);
  expect(await Promise.all(sockets.map(isWhole))).toEqual([false, false, true]);
});

test('closes connections that are unread for a second before those of a client that has more, and reads', async () => {
  let now = 0;
  const { connect } = await serve(large, { maxUnreadBytes: 75_000_000, now: () => now });
  const slow: Socket[] = [];
  for (const address of ['127.0.0.2', '127.0.0.3']) slow.push(await askWithoutReading(connect(address)));
  now = 1_000;
  const reading: Socket[] = [];
  for (let i = 0; i < 2; i++) reading.push(await askWithoutReading(connect('127.0.0.4')));
  expect(await Promise.all(slow.map(isWhole))).toEqual([false, false]);
  expect(await Promise.all(reading.map(isWhole))).toEqual([true, true]);
});

test('does not count answers that were read', async () => {
  const { connect, lines } = await serve(large, { maxUnreadBytes: 30_000_000 });
  for (let i = 0; i < 5; i++) {
    const socket = connect();
    socket.write(GET);
    expect(await isWhole(socket)).toBe(true);
  }
  expect(lines).toEqual([]);
});

test('a new connection takes the place of one whose answer is not read, where none is idle', async () => {
  const { connect, lines } = await serve(large, { maxConnections: 2, unreadTimeoutMs: 0 });
  const slow = [connect('127.0.0.2'), connect('127.0.0.3')];
  for (const socket of slow) await askWithoutReading(socket);
  const newcomer = connect('127.0.0.4');
  newcomer.write(GET);
  expect(await isWhole(newcomer)).toBe(true);
  expect(await Promise.all(slow.map(isWhole))).toEqual([false, true]);
  expect(lines).toEqual([]);
});

test('an answer that is read for less than a while keeps its connection', async () => {
  const { connect } = await serve(large, { maxConnections: 1 });
  const slow = await askWithoutReading(connect('127.0.0.2'));
  expect(await allOf(connect('127.0.0.3'))).toBe('');
  expect(await isWhole(slow)).toBe(true);
});
