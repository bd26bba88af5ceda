import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DatabaseClient } from '../../db/client.js';
import { connectUnscoped } from '../../test/support/connect-unscoped.js';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.js';
import { createApiKeys } from '../services/api-keys/api-keys.js';
import { formatApiKey, generateApiKey } from './api-key-format.js';
import { createValidKeyCache } from './valid-key-cache.js';

const START = new Date('2026-11-21T12:00:00Z');

let database: TestDatabase;
let client: DatabaseClient;

beforeAll(async () => {
  database = await createTestDatabase();
  client = connectUnscoped(database.url, { max: 2 });
});

afterAll(async () => {
  await client?.close();
  await database?.drop();
});

test('knows active keys; new and revoked keys after the refresh interval', async () => {
  let [time, now] = [START, 0];
  const clock = () => time;
  const scope = { tenantId: 'acme' };
  const actor = { userId: undefined };
  const apiKeys = createApiKeys({ db: client.db, clock, maxPageSize: 100 });
  const make = (expiresIn?: number) =>
    apiKeys.create(
      { scope, scopes: ['search'], name: 'n', ...(expiresIn !== undefined && { expiresIn }) },
      actor,
    );
  const [lasting, ending, revoked] = [await make(), await make(1_000), await make()];
  await apiKeys.revoke({ scope, keyId: revoked.id }, actor);

  const isGenuine = createValidKeyCache({ db: client.db, clock, now: () => now });
  const all = (...keys: string[]) => Promise.all(keys.map(isGenuine));
  expect(await all(lasting.key, ending.key, revoked.key)).toEqual([true, true, false]);
  const { id, secret } = generateApiKey();
  const wrong = [
    formatApiKey({ id, secret }),
    formatApiKey({ id: lasting.id, secret }),
    `${lasting.key}a`,
    '',
  ];
  expect(await all(...wrong)).toEqual([false, false, false, false]);

  const made = await make();
  time = new Date(START.getTime() + 1_000);
  now = 4_999;
  expect(await all(made.key, ending.key)).toEqual([false, true]);
  now = 5_000;
  expect(await all(ending.key, made.key, lasting.key)).toEqual([false, true, true]);
});

test('reloads after a failed query', async () => {
  let now = 0;
  const apiKeys = createApiKeys({ db: client.db, clock: () => START, maxPageSize: 100 });
  const { key } = await apiKeys.create(
    { scope: { tenantId: 'acme' }, scopes: ['search'], name: 'n' },
    { userId: undefined },
  );
  let isAway = true;
  const clock = () => {
    if (isAway) throw new Error('away');
    return START;
  };
  const isGenuine = createValidKeyCache({ db: client.db, clock, now: () => now });
  await expect(isGenuine(key)).rejects.toThrow('away');
  isAway = false;
  now = 5_000;
  expect(await isGenuine(key)).toBe(true);
});
