import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { warnUntrustedProxy } from './warn-untrusted-proxy.js';

test.each(['X-Forwarded-For', 'X-Forwarded-Proto'])('warns of %s once', async (name) => {
  const lines: { level: number; peer: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const app = express().use(warnUntrustedProxy(log), (_req, res) => void res.end());
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await fetch(url);
  expect(lines).toEqual([]);
  for (let i = 0; i < 2; i++) await fetch(url, { headers: { [name]: 'https' } });
  expect(lines).toEqual([expect.objectContaining({ level: 40, peer: '127.0.0.1' })]);
  server.close();
});
