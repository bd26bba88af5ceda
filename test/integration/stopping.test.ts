import { readdir } from 'node:fs/promises';
import net from 'node:net';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { createLog } from '../../src/logging/log.js';
import { useApp } from '../support/app.js';
import { blockedStatements } from '../support/blocked-statements.js';

const WARNING = 40;

const lines: { level: number; msg: string }[] = [];
const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(JSON.parse(line)) } });
const { databasePools } = readConfig({});
const app = useApp({ databasePools: { ...databasePools, requests: 2 } }, { log });

test('a server that stops ends the calls of clients that left', async () => {
  const left = new AbortController();
  const calls = Array.from({ length: 20 }, (_, index) => [index, { topic: `Call ${index}` }]);
  const { closing } = await app.db.transaction().execute(async (tx) => {
    await sql`lock table conversations in access exclusive mode`.execute(tx);
    const batch = fetch(`${app.address}/trpc/${calls.map(() => 'conversations.create').join(',')}?batch=1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(calls)),
      signal: left.signal,
    });
    await expect.poll(() => blockedStatements(app.db)).toHaveLength(1);
    left.abort();
    await expect(batch).rejects.toThrow();
    const { http } = app.app;
    const closing = app.app.close();
    await expect.poll(() => http.listening).toBe(false);
    return { closing };
  });
  await closing;
  expect(lines.filter(({ level }) => level >= WARNING)).toEqual([]);
  const { rows } = await sql`select topic from conversations order by topic`.execute(app.db);
  // Of a batch four calls run at a time; the others have not begun.
  expect(rows).toEqual([0, 1, 2, 3].map((index) => ({ topic: `Call ${index}` })));
});

describe('with keys', () => {
  const guarded = useApp({ authMode: 'required' }, { log });

  test('a file whose client left while its key was looked up is not waited for', async () => {
    const { key } = await guarded.makeKey();
    const { port, hostname } = new URL(guarded.address);
    await guarded.db.transaction().execute(async (tx) => {
      await sql`lock table api_keys in access exclusive mode`.execute(tx);
      const socket = net.connect(Number(port), hostname);
      socket.write(
        `POST /trpc/files.upload HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${key}\r\n` +
          'Content-Type: application/octet-stream\r\nContent-Length: 1000\r\n\r\ntext',
      );
      await expect.poll(() => blockedStatements(guarded.db)).toHaveLength(1);
      socket.destroy();
      await expect
        .poll(() => lines)
        .toContainEqual(expect.objectContaining({ msg: 'request cut off', route: '/trpc/files.upload' }));
    });
    await guarded.app.close();
    const stored = await readdir(guarded.dataDir, { recursive: true, withFileTypes: true });
    expect(stored.filter((entry) => entry.isFile())).toEqual([]);
  });
});
