import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import { afterEach, expect, test } from 'vitest';
import { limitBodyMemory } from './body-memory.js';
import { parseJsonBody } from './json-body.js';

const LIMIT = 16 * 1024 * 1024;
const TEXT = '中'.repeat(3_000_000);

let stop = () => {};
afterEach(() => stop());

/** Sends a body, and counts the turns of the event loop from its end until it is handed on. */
async function send(body: string): Promise<{ read: unknown; turns: number }> {
  let turns = 0;
  const app = express();
  const countTurns: RequestHandler = (req, res, next) => {
    const count = () => {
      turns++;
      if (!res.writableEnded) setImmediate(count);
    };
    req.once('end', () => setImmediate(count));
    next();
  };
  app.use(
    countTurns,
    ...parseJsonBody(LIMIT, limitBodyMemory(4 * LIMIT)),
    (req, res) => void res.json({ read: req.body, turns }),
  );
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stop = () => void server.close();
  const { port } = server.address() as AddressInfo;
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
  return (await response.json()) as { read: unknown; turns: number };
}

test('a large body is read with other work of the event loop in between', async () => {
  const { read, turns } = await send(JSON.stringify({ text: TEXT }));
  expect(read).toEqual({ text: TEXT });
  expect(turns).toBeGreaterThanOrEqual(TEXT.length / 1_000_000);
});

test('characters whose bytes arrive apart are read as one', async () => {
  const text = '😀é中'.repeat(30_000);
  expect((await send(JSON.stringify(text))).read).toBe(text);
});
