import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createReadiness, type HealthChecks } from './readiness.js';

const REASON = 'no pg_hba.conf entry for host "10.1.2.3", user "lectern"';

/** Checks that answer as they are told, and are counted. */
function start(options: { cacheMs?: number; timeoutMs?: number } = {}) {
  const state = {
    database: 'up' as 'up' | 'down' | 'silent' | 'read-only',
    search: 'up' as 'up' | 'down' | 'silent',
  };
  const counts = { database: 0, search: 0 };
  const silence = () => new Promise<never>(() => {});
  const written: { level: number; msg: string; err?: { message: string } }[] = [];
  const checks: HealthChecks = {
    async database() {
      counts.database++;
      await new Promise((resolve) => setImmediate(resolve));
      if (state.database === 'silent') await silence();
      if (state.database === 'down') throw new Error(REASON);
      return { isReadOnly: state.database === 'read-only' };
    },
    async search() {
      counts.search++;
      return state.search === 'silent' ? silence() : { available: state.search === 'up' };
    },
  };
  const log = pino({}, { write: (line: string) => written.push(JSON.parse(line)) });
  return { readiness: createReadiness({ checks, log, ...options }), state, counts, written };
}

const READY = { database: 'ok', search: 'ok' };
const UNREADY = { database: 'unavailable', search: 'unknown' };

test('checks are coalesced and cached', async () => {
  const { readiness, counts } = start({ cacheMs: 60_000 });
  const answers = await Promise.all(Array.from({ length: 1_000 }, readiness));
  expect(answers).toEqual(answers.map(() => READY));
  for (let i = 0; i < 1_000; i++) expect(await readiness()).toEqual(READY);
  expect(counts).toEqual({ database: 1, search: 1 });
});

test('a change is reported after the cache expires and logged once', async () => {
  const { readiness, state, written } = start({ cacheMs: 1 });
  const ask = { interval: 5 };
  expect(await readiness()).toEqual(READY);
  state.database = 'down';
  await expect.poll(readiness, ask).toEqual(UNREADY);
  for (let i = 0; i < 20; i++) {
    expect(await readiness()).toEqual(UNREADY);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  Object.assign(state, { database: 'up', search: 'down' });
  await expect.poll(readiness, ask).toEqual({ database: 'ok', search: 'degraded' });
  state.search = 'up';
  await expect.poll(readiness, ask).toEqual(READY);
  state.database = 'read-only';
  await expect.poll(readiness, ask).toEqual({ database: 'read_only', search: 'ok' });
  state.database = 'up';
  await expect.poll(readiness, ask).toEqual(READY);
  expect(written.map(({ level, msg, err }) => [level, msg, err?.message])).toEqual([
    [40, 'the database does not serve', REASON],
    [30, 'the database serves again', undefined],
    [40, 'the database is read-only; writes are answered with 503', undefined],
    [30, 'the database takes writes again', undefined],
  ]);
});

test('a check that times out counts as unavailable', async () => {
  const { readiness, state } = start({ cacheMs: 1, timeoutMs: 20 });
  state.search = 'silent';
  expect(await readiness()).toEqual({ database: 'ok', search: 'degraded' });
  state.database = 'silent';
  await expect.poll(readiness, { interval: 5 }).toEqual(UNREADY);
});
