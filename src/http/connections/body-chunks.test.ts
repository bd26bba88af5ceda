import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { allOf, serve } from '../../../test/support/http-server.js';
import { FREE_CHUNKS, MAX_SMALL_CHUNKS } from './body-chunks.js';

const LINE = 'a line of text that is long enough to be a chunk of its own, as logs are';
const COUNT = 30_000;

test('small chunks arrive joined, and no faster than they are read', async () => {
  let req: IncomingMessage | undefined;
  const { connect } = await serve((received) => {
    req = received;
  });
  const socket = connect();
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  socket.write(`${`${LINE.length.toString(16)}\r\n${LINE}\r\n`.repeat(COUNT)}0\r\n\r\n`);
  await expect.poll(() => req?.socket.isPaused()).toBe(true);
  expect(req?.readableLength).toBeLessThan(256 * 1024);
  expect(req?.complete).toBe(false);
  const pieces: Buffer[] = [];
  for await (const piece of req ?? []) pieces.push(piece);
  expect(Buffer.concat(pieces).toString()).toBe(LINE.repeat(COUNT));
  expect(pieces.length).toBeLessThan(COUNT / 100);
});

test('small chunks of all bodies together are limited for each second', async () => {
  let clock = 0;
  const { connect } = await serve((req, res) => req.resume().on('end', () => res.end('done')), {
    now: () => clock,
  });
  const statusOf = async (count: number) => {
    const socket = connect();
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n');
    socket.write(`${'1\r\nx\r\n'.repeat(count)}0\r\n\r\n`);
    return (await allOf(socket)).slice(9, 12);
  };
  expect(await statusOf(MAX_SMALL_CHUNKS)).toBe('200');
  expect(await statusOf(FREE_CHUNKS)).toBe('200');
  expect(await statusOf(2 * FREE_CHUNKS)).toBe('200');
  expect(await statusOf(2 * FREE_CHUNKS)).toBe('413');
  clock += 500;
  expect(await statusOf(MAX_SMALL_CHUNKS / 2)).toBe('200');
});
