import { expect, test } from 'vitest';
import { createKeyCache, KEY_CACHE_MS, keyCachesExpired } from './key-cache.js';

function start() {
  const state = { now: 0, valid: true, lookUps: 0 };
  const pending: (() => void)[] = [];
  const look = createKeyCache(
    async (text: string) => {
      const isValid = state.valid;
      const count = ++state.lookUps;
      await new Promise<void>((resolve) => pending.push(resolve));
      if (!isValid) throw new Error('refused');
      return `${text} ${count}`;
    },
    () => state.now,
  );
  const answerAll = () => {
    for (const answer of pending.splice(0)) answer();
  };
  return { look, state, answerAll };
}

test('requests that arrive in time share a look-up, whether it has been answered or not', async () => {
  const { look, state, answerAll } = start();
  const both = [look('a'), look('a')];
  state.now = KEY_CACHE_MS - 1;
  both.push(look('a'));
  answerAll();
  expect(await Promise.all([...both, look('a')])).toEqual(['a 1', 'a 1', 'a 1', 'a 1']);
});

test('the time counts from when a look-up was sent, however late its answer', async () => {
  const { look, state, answerAll } = start();
  const early = look('a');
  state.now = KEY_CACHE_MS;
  const late = look('a');
  answerAll();
  expect(await Promise.all([early, late, look('a')])).toEqual(['a 1', 'a 2', 'a 2']);
});

test('rejections are looked up each time', async () => {
  const { look, state, answerAll } = start();
  state.valid = false;
  for (let count = 1; count <= 3; count++) {
    const refused = look('a');
    answerAll();
    await expect(refused).rejects.toThrow('refused');
    expect(state.lookUps).toBe(count);
  }
});

test('keys are looked up apart', async () => {
  const { look, answerAll } = start();
  const both = [look('a'), look('b')];
  answerAll();
  expect(await Promise.all(both)).toEqual(['a 1', 'b 2']);
});

test('whoever waits for the caches finds none in use', async () => {
  const before = performance.now();
  await keyCachesExpired();
  expect(performance.now() - before).toBeGreaterThanOrEqual(KEY_CACHE_MS);
});
