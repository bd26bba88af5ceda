import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from './postgres.js';

test('every test database is migrated and its own', async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  expect(one.url).not.toBe(other.url);
  const pool = new pg.Pool({ connectionString: one.url });
  pool.on('error', () => {});
  const { rows } = await pool.query("select to_regclass('kysely_migration') is not null as migrated");
  expect(rows).toEqual([{ migrated: true }]);
  // Also with a connection still open on it.
  await Promise.all([one.drop(), other.drop()]);
  await pool.end();
  const late = new pg.Client({ connectionString: one.url });
  await expect(late.connect()).rejects.toThrow(/does not exist/);
});
