import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectDatabase, type DatabaseClient } from '../../db/client.js';
import { drain } from '../../test/support/drain.js';
import { createTestDatabase, type TestDatabase } from '../../test/support/postgres.js';
import { createMemoryBucketStore, MemoryBuckets } from './memory-store.js';
import { createPostgresBucketStore } from './postgres-store.js';
import { ALLOW_DEBT, type BucketStore, type Take } from './token-bucket.js';

/** Years: what a test itself lasts is nothing against them. */
const WINDOW_SECONDS = 1e8;
const SIZES: Record<string, number> = { key: 5, tenant: 8, 'leased key': 160, 'leased tenant': 320 };
/** So small that they are not leased. */
const SMALL = ['key', 'tenant'];
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
  ...SMALL.flatMap((bucket) => [
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
    await drain(store.sweep());
    expect(await count()).toBe(1);
    expect(await store.take([take('key', 3)])).toEqual({ granted: false, tokens: [expect.closeTo(2.5, 3)] });
    await pass(0.5);
    await drain(store.sweep());
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

describe('leases', () => {
  /** Large enough to be leased; a lease takes at most a sixteenth of the tokens and a thirty-second of the window. */
  const LEASED = ['leased key', 'leased tenant'];
  const PROCESSES = 3;
  /**
   * What is not granted though the limit allows it: what refills during a lease, what other processes hold, and what
   * they have lost. When time passes, each may lose a lease, but no more than refills in that time.
   */
  const deviation = (bucket: string, passed: number[]) => {
    const lost = passed.reduce((sum, windows) => sum + Math.min(1 / 16, windows), 0);
    return SIZES[bucket]! * (1 / 32 + PROCESSES * (1 / 16 + lost));
  };
  /** A bucket that has refilled has no losses. */
  const passedSinceFull = (passed: number[], windows: number) => (windows >= 1 ? [] : [...passed, windows]);

  async function prepare() {
    await here.db.deleteFrom('rateBuckets').execute();
    let now = 0;
    const options = { now: () => now, maxLeaseMs: Number.POSITIVE_INFINITY };
    return {
      stores: [here, there, here].map(({ db }) => createPostgresBucketStore(db, options)),
      async pass(windows: number) {
        now += windows * WINDOW_SECONDS * 1000;
        const time = sql`make_interval(secs => ${windows * WINDOW_SECONDS})`;
        await sql`
          update rate_buckets set updated_time = updated_time - ${time}, full_time = full_time - ${time}
        `.execute(here.db);
      },
    };
  }

  const leased = (bucket: string, amount: number): Take => ({
    bucket,
    limit: { amount: SIZES[bucket]!, seconds: WINDOW_SECONDS },
    amount,
    minTokens: amount,
    isLeasable: true,
  });
  const someTakes = fc.uniqueArray(
    fc.oneof(
      ...LEASED.map((bucket) =>
        fc
          .oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.integer({ min: 1, max: 155 }))
          .map((amount) => leased(bucket, amount)),
      ),
    ),
    { minLength: 1, maxLength: 2, selector: (one) => one.bucket },
  );
  const steps = fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          by: fc.nat({ max: PROCESSES - 1 }),
          takes: someTakes,
          times: fc.integer({ min: 1, max: 30 }),
        }),
      },
      // Less than a lease, several, and long enough to fill a bucket.
      {
        weight: 3,
        arbitrary: fc.record({ pass: fc.constantFrom(1 / 512, 1 / 100, 1 / 64, 1 / 32, 1 / 8, 1) }),
      },
      { weight: 1, arbitrary: fc.record({ sweep: fc.nat({ max: PROCESSES - 1 }) }) },
      { weight: 1, arbitrary: fc.record({ stop: fc.nat({ max: PROCESSES - 1 }) }) },
    ),
    { minLength: 1, maxLength: 40 },
  );

  test('grant at most the limit in any stretch of time, and little less', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { stores, pass } = await prepare();
        const taken: { bucket: string; at: number; amount: number }[] = [];
        let now = 0;
        let passed: number[] = [];
        for (const one of all) {
          if ('pass' in one) {
            await pass(one.pass);
            now += one.pass;
            passed = passedSinceFull(passed, one.pass);
          } else if ('sweep' in one) await drain(stores[one.sweep]!.sweep());
          else if ('stop' in one) await stores[one.stop]!.stop();
          else {
            for (let i = 0; i < one.times; i++) {
              const { granted } = await stores[one.by]!.take(one.takes);
              const left = one.takes.map(({ bucket, amount }) => allowance(bucket, taken, now) - amount);
              if (granted) {
                expect(Math.min(...left)).toBeGreaterThanOrEqual(-ALMOST);
                taken.push(...one.takes.map(({ bucket, amount }) => ({ bucket, amount, at: now })));
              } else {
                const beyond = one.takes.map(({ bucket }, k) => left[k]! - deviation(bucket, passed));
                expect(Math.min(...beyond)).toBeLessThanOrEqual(ALMOST);
              }
            }
          }
        }
        await Promise.all(stores.map((store) => store.stop()));
      }),
      {
        numRuns: 60,
        examples: [
          // A lease that ended long before it was renewed is lost.
          [
            [
              { by: 0, takes: [leased('leased key', 1), leased('leased tenant', 14)], times: 12 },
              { by: 1, takes: [leased('leased key', 1)], times: 2 },
              { pass: 0.125 },
              { by: 1, takes: [leased('leased key', 1), leased('leased tenant', 2)], times: 22 },
              { by: 2, takes: [leased('leased key', 1), leased('leased tenant', 1)], times: 13 },
              { by: 0, takes: [leased('leased key', 3)], times: 29 },
              { by: 0, takes: [leased('leased tenant', 1)], times: 1 },
            ],
          ],
          // What was leased before the bucket was full again is not returned to it.
          [
            [
              { by: 0, takes: [leased('leased tenant', 1)], times: 2 },
              { pass: 1 },
              { by: 1, takes: [leased('leased tenant', 1)], times: 2 },
              { stop: 0 },
              { by: 1, takes: [leased('leased tenant', 11)], times: 29 },
              { by: 0, takes: [leased('leased tenant', 1)], times: 1 },
            ],
          ],
        ],
      },
    );
  });

  test('are told of truthfully by the only process', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { stores, pass } = await prepare();
        const [store] = stores;
        const taken: { bucket: string; at: number; amount: number }[] = [];
        let now = 0;
        let passed: number[] = [];
        for (const one of all) {
          if ('pass' in one) {
            await pass(one.pass);
            now += one.pass;
            passed = passedSinceFull(passed, one.pass);
          } else if ('takes' in one) {
            const { granted, tokens } = await store!.take(one.takes);
            if (granted) taken.push(...one.takes.map(({ bucket, amount }) => ({ bucket, amount, at: now })));
            for (const [k, { bucket }] of one.takes.entries()) {
              const level = allowance(bucket, taken, now);
              expect(tokens[k]).toBeLessThanOrEqual(level + ALMOST);
              expect(tokens[k]).toBeGreaterThanOrEqual(level - deviation(bucket, passed) - ALMOST);
            }
          }
        }
        await store!.stop();
      }),
      { numRuns: 40 },
    );
  });

  test('are one statement for many requests, and what is not spent is returned', async () => {
    const { stores } = await prepare();
    const [store, other] = stores;
    let statements = 0;
    here.pool.on('acquire', () => statements++);
    for (let i = 0; i < 100; i++) await store!.take([leased('leased tenant', 1)]);
    expect(statements).toBeLessThan(15);
    await store!.stop();
    expect(await other!.take([leased('leased tenant', 1)])).toEqual({
      granted: true,
      tokens: [expect.closeTo(310 - 101, 3)],
    });
    await other!.stop();
  });

  test('are shared by requests that come at the same time, each token once', async () => {
    const { stores } = await prepare();
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, i) => stores[i % PROCESSES]!.take([leased('leased key', 1)])),
    );
    const granted = answers.filter((answer) => answer.granted).length;
    expect(granted).toBeLessThanOrEqual(160);
    expect(granted).toBeGreaterThanOrEqual(160 - deviation('leased key', []));
    await Promise.all(stores.map((store) => store.stop()));
  });
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
