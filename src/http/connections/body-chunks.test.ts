import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { serve } from '../../../test/support/http-server.js';

const LINE = 'a short line of text';
const COUNT = 100_000;

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
