import { expect, test } from 'vitest';
import { createQuestionCache } from './question-cache.js';

const limits = { maxQuestions: 6, maxOfTenant: 3 };

test('keeps what was used last, and no more of a tenant than its share', () => {
  const cache = createQuestionCache<number>(limits);
  cache.set('acme', 'kept', 1);
  for (let i = 0; i < 10; i++) {
    cache.set('greedy', `question ${i}`, i);
    cache.get('greedy', 'question 0');
  }
  expect(cache.get('acme', 'kept')).toBe(1);
  expect([0, 1, 8, 9].map((i) => cache.get('greedy', `question ${i}`))).toEqual([0, undefined, 8, 9]);
});

test('drops the oldest of the tenant that was there longest ago where all have too many', () => {
  const cache = createQuestionCache<number>(limits);
  for (const tenantId of ['a', 'b', 'c']) {
    for (let i = 0; i < 3; i++) cache.set(tenantId, `question ${i}`, i);
    cache.get('b', 'question 0');
  }
  const kept = ['a', 'b', 'c'].map(
    (tenantId) => [0, 1, 2].filter((i) => cache.get(tenantId, `question ${i}`) !== undefined).length,
  );
  expect(kept.reduce((sum, count) => sum + count, 0)).toBe(6);
  expect(kept).toEqual([0, 3, 3]);
});

test('forgets what is deleted, and only that', () => {
  const cache = createQuestionCache<number>(limits);
  cache.set('acme', 'one', 1);
  cache.set('acme', 'two', 2);
  cache.delete('acme', 'one', 7);
  expect(cache.get('acme', 'one')).toBe(1);
  cache.delete('acme', 'one', 1);
  expect([cache.get('acme', 'one'), cache.get('acme', 'two')]).toEqual([undefined, 2]);
});
