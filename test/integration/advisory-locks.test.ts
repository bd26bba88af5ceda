import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { FIXED_LOCK_IDS, LOCK_NAMESPACES, type LockNamespace } from '../../db/advisory-locks.js';
import { isWriterLockContended } from '../../src/search/indexing/session-locks.js';
import { acquireLock, tryAcquireLock } from '../../src/services/shared/advisory-lock.js';
import { useApp } from '../support/app.js';
import { createRestClient } from './support/rest-client.js';

/* Advisory locks are named by texts that callers choose: no name may stand for a lock of another kind. */

const app = useApp();
const { upsert, createDocument } = createRestClient(app);
const namespaces = Object.keys(LOCK_NAMESPACES) as LockNamespace[];

/** Holds locks until `work` is done. */
const holding = (names: [LockNamespace, ...string[]][], work: () => Promise<void>) =>
  app.db.transaction().execute(async (tx) => {
    for (const [namespace, ...name] of names) await acquireLock(tx, namespace, ...name);
    await work();
  });

test.each(namespaces)('locks of namespace %s do not collide with tenant names', async (namespace) => {
  const { createMany } = app.trpc().documents;
  const scope = { tenantId: namespace, tenantUnitId: 'acme' };
  const names = [['acme'], ['acme', 'sales'], ['acme', 'sales', 'x'], [namespace, 'acme', 'sales']];
  const others = namespaces.filter((one) => one !== namespace);
  const held = [
    ...names.slice(0, 3).map((name) => [namespace, ...name] as [LockNamespace, ...string[]]),
    ...others.flatMap((one) => names.map((name) => [one, ...name] as [LockNamespace, ...string[]])),
  ].filter(([kind, ...name]) => !(kind === 'external-id' && name.join() === `${namespace},acme,sales`));
  await holding(held, async () => {
    expect(await upsert('sales', scope)).toMatchObject({ externalId: 'sales' });
    expect(
      (await createMany.mutate({ scope, urls: [`https://pages.invalid/${namespace}`] })).created,
    ).toHaveLength(1);
    await createDocument({ ...scope, documentContent: 'Some text.' });
  });
});

describe('the advisory lock key', () => {
  test('differs by namespace, and by where one name ends and the next begins', async () => {
    const names = [['a', 'b'], ['ab'], ['a'], ['', 'ab'], ['a,b'], ['a","b']];
    const all = namespaces.flatMap((one) => names.map((name) => [one, ...name] as const));
    await holding(
      all.map(([one, ...name]) => [one, ...name]),
      async () => {
        const { rows } = await sql<{ count: number }>`
          select count(*)::int as count from pg_locks
          where locktype = 'advisory' and objsubid = 1 and classid >= 16777216::oid and granted
            and database = (select oid from pg_database where datname = current_database())
        `.execute(app.db);
        expect(rows).toEqual([{ count: all.length }]);
        await app.db.transaction().execute(async (tx) => {
          for (const [one, ...name] of all) expect(await tryAcquireLock(tx, one, ...name)).toBe(false);
        });
      },
    );
  });

  test('lies in a range of its namespace, apart from the numbered locks', () => {
    const numbers = Object.values(LOCK_NAMESPACES);
    expect(new Set(numbers).size).toBe(numbers.length);
    for (const number of numbers) expect(number).toBeGreaterThan(0);
    for (const number of numbers) expect(number).toBeLessThan(128);
    const numbered = Object.values(FIXED_LOCK_IDS);
    expect(new Set(numbered).size).toBe(numbered.length);
    for (const number of numbered) expect(number).toBeLessThan(2 ** 31);
  });

  test('does not collide when the lower 32 bits are equal', async () => {
    const session = app.db.connection().execute(async (holder) => {
      await sql`select pg_advisory_lock((${7}::bigint << 32) | ${FIXED_LOCK_IDS.indexWriter})`.execute(
        holder,
      );
      const waiting = app.db.connection().execute(async (waiter) => {
        await sql`select pg_advisory_lock((${7}::bigint << 32) | ${FIXED_LOCK_IDS.indexWriter})`.execute(
          waiter,
        );
        await sql`select pg_advisory_unlock_all()`.execute(waiter);
      });
      const isQueued = async () => {
        const { rows } = await sql<{ waits: boolean }>`
          select exists (select from pg_locks where locktype = 'advisory' and classid = 7 and not granted) as waits
        `.execute(holder);
        return rows[0]?.waits;
      };
      await expect.poll(isQueued).toBe(true);
      expect(await isWriterLockContended(holder)).toBe(false);
      await sql`select pg_advisory_unlock_all()`.execute(holder);
      await waiting;
    });
    await session;
  });
});

test('the same name gives the same lock', async () => {
  const name = randomUUID();
  await holding([['quota', name]], async () => {
    await app.db.transaction().execute(async (tx) => {
      expect(await tryAcquireLock(tx, 'quota', name)).toBe(false);
      expect(await tryAcquireLock(tx, 'uploads', name)).toBe(true);
    });
  });
});
