import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { allOf, serve } from '../../../test/support/http-server.js';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const answer: RequestListener = (_req, res) => res.end('done');
const begin: RequestListener = (_req, res) => void res.write('begun');

/** Sends a request, and waits for what comes first. */
async function ask(socket: Socket): Promise<Socket> {
  socket.write(GET);
  const [data] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  expect(String(data)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  return socket;
}

const warning = (msg: string, about: object) => ({ level: 40, time: expect.any(Number), ...about, msg });

test('a new connection takes the place of the longest idle one', async () => {
  const { connect, lines } = await serve(answer, { maxConnections: 3 });
  const first = await ask(connect());
  const silent = connect();
  await once(silent, 'connect');
  const third = await ask(connect());
  await ask(first);
  const isClosed = allOf(silent);
  const fourth = await ask(connect());
  expect(await isClosed).toBe('');
  const isNextClosed = allOf(third);
  await ask(connect());
  expect(await isNextClosed).toBe('');
  for (const socket of [first, fourth]) await ask(socket);
  expect(lines).toEqual([]);
});

test('closes connections above the limit where all have requests, and warns once', async () => {
  const { connect, lines } = await serve(begin, { maxConnections: 2 });
  const first = await ask(connect());
  await ask(connect());
  for (let i = 0; i < 3; i++) expect(await allOf(connect())).toBe('');
  expect(lines).toEqual([
    warning('turning connections away: there are as many as allowed', { maxConnections: 2 }),
  ]);
  first.destroy();
  await expect.poll(() => ask(connect()).catch(() => 'turned away')).toBeTypeOf('object');
});

test('an address has so many connections, and others find room', async () => {
  const { connect, lines } = await serve(begin, { maxConnections: 4, maxConnectionsPerAddress: 2 });
  for (let i = 0; i < 2; i++) await ask(connect('127.0.0.2'));
  for (let i = 0; i < 3; i++) expect(await allOf(connect('127.0.0.2'))).toBe('');
  await ask(connect('127.0.0.3'));
  expect(lines).toEqual([
    warning('turning connections of an address away: it has as many as allowed', {
      address: '127.0.0.2',
      maxConnectionsPerAddress: 2,
    }),
  ]);
});

test('a new connection of an address closes its own idle one first', async () => {
  const { connect } = await serve(answer, { maxConnections: 4, maxConnectionsPerAddress: 1 });
  const other = await ask(connect('127.0.0.3'));
  for (let i = 0; i < 3; i++) {
    const one = await ask(connect('127.0.0.2'));
    const isClosed = allOf(one);
    await ask(connect('127.0.0.2'));
    expect(await isClosed).toBe('');
  }
  await ask(other);
});

test('shared addresses have as many connections as there are', async () => {
  const isShared = (address: string) => address === '127.0.0.2';
  const { connect } = await serve(begin, { maxConnectionsPerAddress: 1, isShared });
  for (let i = 0; i < 5; i++) await ask(connect('127.0.0.2'));
});
