import { sql } from 'kysely';
import { expect, test } from 'vitest';
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
