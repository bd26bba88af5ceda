import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { serveHealth } from './health.js';

test('strangers are told that the database does not serve, and the log why', async () => {
  const written: string[] = [];
  const log = pino({}, { write: (line: string) => written.push(line) });
  const database = () =>
    Promise.reject(new Error('no pg_hba.conf entry for host "10.1.2.3", user "lectern"'));
  const search = async () => ({ available: true });
  const server = createServer(express().use(serveHealth({ database, search }, log))).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`);
  expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
    503,
    '2',
    { status: 'unavailable', database: 'unavailable', reason: 'The database does not serve.' },
  ]);
  expect(written.join()).toContain('no pg_hba.conf entry');
  await new Promise((resolve) => server.close(resolve));
});
