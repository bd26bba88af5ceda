import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { waitFor } from '../../test/support/wait-for.js';
import { unavailable } from '../errors/errors.js';
import type { ChunkIndex, ChunkQuery } from './chunk-index.js';
import { withFallback } from './fallback.js';

const query = { text: 'anything' } as ChunkQuery;
let stopping = new AbortController();
afterEach(() => {
  stopping.abort();
  stopping = new AbortController();
});

/** An index that fails in a way, and how often it was asked. */
function prepare() {
  const state = { failure: undefined as Error | undefined, asked: 0, checked: 0 };
  const first: ChunkIndex = {
    engine: 'meilisearch',
    async search() {
      state.asked++;
      if (state.failure) throw state.failure;
      return {
        engine: 'meilisearch',
        mode: 'lexical',
        candidates: [{ chunkId: 'a', score: 1 }],
        isTruncated: false,
      };
    },
    async status() {
      state.checked++;
      return { engine: 'meilisearch', available: !state.failure };
    },
  };
  const fallback: Pick<ChunkIndex, 'search'> = {
    search: async () => ({
      engine: 'postgres',
      mode: 'lexical',
      candidates: [{ chunkId: 'b', score: 0.5 }],
      isTruncated: false,
    }),
  };
  const { signal } = stopping;
  const index = withFallback(first, {
    fallback,
    describeError: String,
    stopping: signal,
    log: pino({ level: 'silent' }),
  });
  return { state, index, engine: async () => (await index.search(query)).engine };
}

test('an unavailable index is not queried by every search, and is used again after it recovers', async () => {
  const { state, index, engine } = prepare();
  expect(await index.search(query)).toEqual({
    engine: 'meilisearch',
    mode: 'lexical',
    candidates: [{ chunkId: 'a', score: 1 }],
    isTruncated: false,
  });

  state.failure = unavailable('Away.', new Error('refused'));
  expect(await index.search(query)).toEqual({
    engine: 'postgres',
    mode: 'lexical',
    candidates: [{ chunkId: 'b', score: 0.5 }],
    isTruncated: false,
  });
  expect(await Promise.all([engine(), engine(), engine()])).toEqual(['postgres', 'postgres', 'postgres']);
  expect(state.asked).toBe(2);
  expect(await index.status()).toEqual({ engine: 'meilisearch', available: false });

  await waitFor(() => state.checked >= 2, { what: 'a second check' });
  expect(await engine()).toBe('postgres');
  state.failure = undefined;
  await waitFor(async () => (await engine()) === 'meilisearch', { what: 'the index to answer' });
  expect(state.asked).toBe(3);
});

test('concurrent searches during an outage all fall back', async () => {
  const { state, engine } = prepare();
  state.failure = unavailable('Away.');
  expect(await Promise.all([engine(), engine()])).toEqual(['postgres', 'postgres']);
  expect(state.asked).toBe(2);
});

test('other errors are not caught', async () => {
  const { state, engine } = prepare();
  state.failure = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  await expect(engine()).rejects.toBe(state.failure);
  state.failure = undefined;
  expect(await engine()).toBe('meilisearch');
});

test('health checks stop on shutdown', async () => {
  const { state, engine } = prepare();
  state.failure = unavailable('Away.');
  await engine();
  await waitFor(() => state.checked > 0, { what: 'a check' });
  stopping.abort();
  state.failure = undefined;
  expect(await engine()).toBe('postgres');
});
