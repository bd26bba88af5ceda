import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DatabaseClient } from '../../db/client.js';
import { connectUnscoped } from '../../test/support/connect-unscoped.js';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.js';
import { apiKeyStatus, isActiveKey } from './api-key-status.js';

let database: TestDatabase;
let client: DatabaseClient;

beforeAll(async () => {
  database = await createTestDatabase();
  client = connectUnscoped(database.url, { max: 1 });
});

afterAll(async () => {
  await client?.close();
  await database?.drop();
});

const NOW = new Date('2026-11-21T12:00:00Z');
const after = (ms: number) => new Date(NOW.getTime() + ms);

test.each([
  ['active', null, null],
  ['active', null, after(1)],
  ['expired', null, NOW],
  ['expired', null, after(-1)],
  ['revoked', after(-1), null],
  ['revoked', after(-1), after(1)],
  ['revoked', after(-1), after(-1)],
])('a key is %s, also in SQL: revoked %s, expires %s', async (status, revokedTime, expiresTime) => {
  expect(apiKeyStatus({ revokedTime, expiresTime }, NOW)).toBe(status);
  const { rows } = await sql<{ isActive: boolean }>`
    select ${isActiveKey(NOW)} as is_active
    from (select ${revokedTime}::timestamptz as revoked_time, ${expiresTime}::timestamptz as expires_time) as api_key
  `.execute(client.db);
  expect(rows).toEqual([{ isActive: status === 'active' }]);
});
