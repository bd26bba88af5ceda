import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, test } from 'vitest';
import { serveHealth } from './health.js';

test('/readyz reports an outage without details', async () => {
  const readiness = async () => ({ database: 'unavailable', search: 'unknown' }) as const;
  const server = createServer(
    express().use(serveHealth(readiness, { version: '1.2.3', stopping: new AbortController().signal })),
  ).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`);
  expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
    503,
    '2',
    { status: 'unavailable', database: 'unavailable', reason: 'The database does not serve.' },
  ]);
  await new Promise((resolve) => server.close(resolve));
});
