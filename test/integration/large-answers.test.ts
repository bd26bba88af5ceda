import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GuardedClient } from '../../db/guarded-client.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

test('a large answer of the database is read half a megabyte at a time, with other work in between', async () => {
  const client = new GuardedClient({ connectionString: database.url });
  await client.connect();
  let turn = 0;
  let next = setImmediate(function count() {
    turn++;
    next = setImmediate(count);
  });
  const text = "select repeat('x', 100000) as text from generate_series(1, 500)";
  const rowsOfTurn = new Map<number, number>();
  const query = client.query(new pg.Query({ text }));
  await new Promise((resolve, reject) => {
    query.on('row', () => rowsOfTurn.set(turn, (rowsOfTurn.get(turn) ?? 0) + 1));
    query.on('end', resolve).on('error', reject);
  });
  clearImmediate(next);
  await client.end();
  expect([...rowsOfTurn.values()].reduce((sum, rows) => sum + rows)).toBe(500);
  expect(Math.max(...rowsOfTurn.values())).toBeLessThanOrEqual(8);
});
