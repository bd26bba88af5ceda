import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectDatabase, type DatabaseClient } from '../../db/client.js';
import { GuardedClient } from '../../db/guarded-client.js';
import { isOutage } from '../../src/errors/errors.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startTlsDatabase } from '../support/tls-database.js';
import { waitFor } from '../support/wait-for.js';

/* What a pool does when the network before the database fails in other ways than by ending. */

const OPTIONS = { connectionTimeoutMs: 500, statementTimeoutMs: 500 };
const SILENCE_MS = 300;
/** What is corrupted follows from these. */
const SEEDS = Array.from({ length: 12 }, (_, seed) => seed);

let database: TestDatabase;
let cable: DatabaseProxy;
let client: DatabaseClient;

beforeAll(async () => {
  database = await createTestDatabase();
  cable = new DatabaseProxy(new URL(database.url));
  await cable.listen();
  client = connectDatabase(cable.url, { ...OPTIONS, max: 4 });
});

afterAll(async () => {
  await cable.heal();
  await client?.close();
  await cable.close();
  await database?.drop();
});

const ROWS = Array.from({ length: 200 }, (_, n) => ({ n, text: `row ${n}` }));
const QUERY = `select n, 'row ' || n as text from generate_series(0, 199) as n`;
const same = (rows: unknown) => JSON.stringify(rows) === JSON.stringify(ROWS);
const select = async () => (await client.pool.query(QUERY)).rows;
const failure = () =>
  select().then(
    () => undefined,
    (error: Error) => error,
  );

describe('a pool goes on by itself', () => {
  test.each([
    { kind: 'stall', isForGood: true },
    { kind: 'cut' },
    { kind: 'cut', afterBytes: 100 },
    { kind: 'half-close' },
    { kind: 'half-close', direction: 'to server' },
    { kind: 'refuse' },
  ] as const)('after %o', async (fault) => {
    expect(await Promise.all([select(), select()])).toEqual([ROWS, ROWS]);
    await cable.inject(fault);
    // With connections from before, and with new ones.
    for (let round = 0; round < 3; round++) {
      const errors = await Promise.all([failure(), failure(), failure()]);
      for (const error of errors) expect(error).toSatisfy(isOutage);
    }
    await cable.heal();
    // On a busy machine half a second may be too short for a new connection.
    await expect.poll(() => Promise.all([select(), select()]).catch(String)).toEqual([ROWS, ROWS]);
    expect(client.pool.waitingCount).toBe(0);
    expect(client.pool.totalCount).toBeLessThanOrEqual(4);
  });

  test('also where the connection was idle for long', async () => {
    const idle = new GuardedClient({ connectionString: cable.url, silenceMs: SILENCE_MS });
    const errors: Error[] = [];
    idle.on('error', (error) => errors.push(error));
    await idle.connect();
    await delay(3 * SILENCE_MS);
    expect((await idle.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await cable.inject({ kind: 'stall' });
    await expect(idle.query('select 1 as one')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    await cable.heal();
    expect(errors).toHaveLength(1);
    await waitFor(() => Promise.all([select(), select()]));
  });

  test('after delays, which only take time', async () => {
    await cable.inject({ kind: 'delay', ms: 50 });
    expect(await Promise.all([select(), select()])).toEqual([ROWS, ROWS]);
    await cable.heal();
  });

  test('after bytes that are no protocol, which end no process', async () => {
    const outcomes = await Promise.all(SEEDS.map((seed) => corrupt(database.url, seed)));
    expect(outcomes.map(({ after }) => after)).toEqual(SEEDS.map(() => [ROWS, ROWS, ROWS]));
  });

  test('after encrypted bytes that were changed, and gives no wrong answer', async () => {
    const secured = await startTlsDatabase(database.url);
    const outcomes = await Promise.all(SEEDS.map((seed) => corrupt(secured.url, seed)));
    secured.close();
    for (const { during, after } of outcomes) {
      for (const one of during) expect(one).toSatisfy(isOutage);
      expect(after).toEqual([ROWS, ROWS, ROWS]);
    }
  });
});

/** What a pool answers while bytes are changed on the way to it, and later. */
async function corrupt(url: string, seed: number) {
  const cable = new DatabaseProxy(new URL(url));
  await cable.listen();
  const { pool, close } = connectDatabase(cable.url, { ...OPTIONS, connectionTimeoutMs: 2_000, max: 2 });
  const ask = async () => (await pool.query(QUERY)).rows;
  const outcome = () => ask().catch((error) => error);
  await waitFor(ask);
  await cable.inject({ kind: 'corrupt', seed, every: 40 });
  const during = await Promise.all([outcome(), outcome(), outcome()]);
  await cable.heal();
  await waitFor(() => ask().then(same, () => false), { what: `the pool of seed ${seed} to recover` });
  const after = await Promise.all([ask(), ask(), ask()]);
  await close();
  await cable.close();
  return { during, after };
}
