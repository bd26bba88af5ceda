import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectDatabase, type DatabaseClient } from '../../db/client.js';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.js';
import { createMemoryBucketStore, MemoryBuckets } from './memory-store.js';
import { createPostgresBucketStore } from './postgres-store.js';
import { ALLOW_DEBT, type BucketStore, type Take } from './token-bucket.js';

/** Years: what a test itself lasts is nothing against them. */
const WINDOW_SECONDS = 1e8;
const SIZES: Record<string, number> = { key: 5, tenant: 8 };
const ALMOST = 1e-4;

let database: TestDatabase;
let here: DatabaseClient;
let there: DatabaseClient;

beforeAll(async () => {
  database = await createTestDatabase();
  here = connectDatabase(database.url, { max: 8 });
  there = connectDatabase(database.url, { max: 8 });
});

afterAll(async () => {
  await here?.close();
  await there?.close();
  await database?.drop();
});

/** A store whose time passes when the test says so. */
interface Bench {
  store: BucketStore;
  pass(windows: number): Promise<void>;
  count(): Promise<number>;
}

async function inMemory(): Promise<Bench> {
  let now = 0;
  const buckets = new MemoryBuckets(() => now);
  return {
    store: createMemoryBucketStore(buckets),
    async pass(windows) {
      now += windows * WINDOW_SECONDS * 1000;
    },
    count: async () => buckets.size,
  };
}

async function inPostgres(): Promise<Bench> {
  await here.db.deleteFrom('rateBuckets').execute();
  return {
    store: createPostgresBucketStore(here.db),
    async pass(windows) {
      const time = sql`make_interval(secs => ${windows * WINDOW_SECONDS})`;
      await sql`
        update rate_buckets set updated_time = updated_time - ${time}, full_time = full_time - ${time}
      `.execute(here.db);
    },
    count: async () => (await here.db.selectFrom('rateBuckets').select('bucket').execute()).length,
  };
}

const take = (bucket: string, amount: number, needs = amount): Take => ({
  bucket,
  limit: { amount: SIZES[bucket]!, seconds: WINDOW_SECONDS },
  amount,
  minTokens: needs,
});

/**
 * What a bucket may still give by the definition of its limit: in no stretch of time may more have been taken than its
 * size and what comes in meanwhile.
 */
function allowance(
  bucket: string,
  taken: { bucket: string; at: number; amount: number }[],
  now: number,
): number {
  const size = SIZES[bucket]!;
  const own = taken.filter((one) => one.bucket === bucket);
  const left = own.map(
    ({ at }, i) => size + size * (now - at) - own.slice(i).reduce((sum, { amount }) => sum + amount, 0),
  );
  return Math.min(size, ...left);
}

const someTake = fc.oneof(
  ...Object.keys(SIZES).flatMap((bucket) => [
    fc.integer({ min: 1, max: SIZES[bucket]! }).map((amount) => take(bucket, amount)),
    fc.integer({ min: 1, max: 20 }).map((amount) => take(bucket, amount, 1)),
    fc.integer({ min: 1, max: 3 }).map((amount) => take(bucket, amount, ALLOW_DEBT)),
  ]),
);
const step = fc.oneof(
  fc.record({
    takes: fc.uniqueArray(someTake, { minLength: 1, maxLength: 2, selector: (one) => one.bucket }),
  }),
  fc.record({ pass: fc.integer({ min: 1, max: 20 }).map((eighths) => eighths / 8) }),
);

describe.each([
  { name: 'in memory', prepare: inMemory, numRuns: 500 },
  { name: 'in PostgreSQL', prepare: inPostgres, numRuns: 40 },
])('buckets $name', ({ prepare, numRuns }) => {
  test('grant exactly the limit', async () => {
    const steps = fc.array(step, { minLength: 1, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { store, pass } = await prepare();
        const taken: { bucket: string; at: number; amount: number }[] = [];
        let now = 0;
        for (const one of all) {
          if ('pass' in one) {
            await pass(one.pass);
            now += one.pass;
            continue;
          }
          const levels = one.takes.map(({ bucket }) => allowance(bucket, taken, now));
          const granted = one.takes.every(({ minTokens }, i) => levels[i]! >= minTokens - ALMOST);
          if (granted) taken.push(...one.takes.map(({ bucket, amount }) => ({ bucket, amount, at: now })));
          const tokens = one.takes.map(({ bucket }) => expect.closeTo(allowance(bucket, taken, now), 3));
          expect(await store.take(one.takes)).toEqual({ granted, tokens });
        }
      }),
      { numRuns },
    );
  });

  test('grant each token once under concurrency', async () => {
    const { store } = await prepare();
    const takes = Array.from({ length: 40 }, () => store.take([take('key', 1)]));
    const answers = await Promise.all(takes);
    expect(answers.filter(({ granted }) => granted)).toHaveLength(SIZES.key!);
  });

  test('are swept when full, not before', async () => {
    const { store, pass, count } = await prepare();
    await store.take([take('key', 5)]);
    await store.take([take('tenant', 2)]);
    await pass(0.5);
    await store.sweep();
    expect(await count()).toBe(1);
    expect(await store.take([take('key', 3)])).toEqual({ granted: false, tokens: [expect.closeTo(2.5, 3)] });
    await pass(0.5);
    await store.sweep();
    expect(await count()).toBe(0);
  });
});

test('memory buckets are swept automatically', () => {
  let now = 0;
  const buckets = new MemoryBuckets(() => now);
  const limit = { amount: 60, seconds: 60 };
  for (let i = 0; i < 20_000; i++) {
    buckets.take([{ bucket: `address ${i}`, limit, amount: 1, minTokens: 1 }]);
    now += 10;
  }
  expect(buckets.size).toBeLessThan(2_500);
});

test('several processes on one database share buckets, whatever the order they name them in', async () => {
  await here.db.deleteFrom('rateBuckets').execute();
  const [one, another] = [createPostgresBucketStore(here.db), createPostgresBucketStore(there.db)];
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      i % 2 === 0
        ? one.take([take('key', 1), take('tenant', 1)])
        : another.take([take('tenant', 1), take('key', 1)]),
    ),
  );
  expect(answers.filter(({ granted }) => granted)).toHaveLength(SIZES.key!);
  // What was refused for the key has taken nothing from the tenant.
  expect(await one.take([take('tenant', 3)])).toMatchObject({ granted: true });
  expect(await another.take([take('tenant', 1)])).toMatchObject({ granted: false });
});

test('a clock set back does not change a bucket', async () => {
  await here.db.deleteFrom('rateBuckets').execute();
  const store = createPostgresBucketStore(here.db);
  await store.take([take('key', 2)]);
  await sql`update rate_buckets set updated_time = now() + interval '1 hour'`.execute(here.db);
  expect(await store.take([take('key', 1)])).toEqual({ granted: true, tokens: [expect.closeTo(2, 3)] });
});
