import { expect, test } from 'vitest';
import { createSharedPoll } from './shared-poll.js';

interface Question {
  scope: { tenantId: string };
  n: number;
}

const ask = (tenantId: string, n: number): Question => ({ scope: { tenantId }, n });
const away = () => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

/** A poll that notes its looks, and what each of them answers or fails with. */
function start(answerTo: (question: Question) => number = ({ n }) => n) {
  const looks: string[] = [];
  const stopping = new AbortController();
  const poll = createSharedPoll({
    query: async (questions: Question[]) => {
      looks.push(questions.map(({ scope, n }) => `${scope.tenantId}${n}`).join(' '));
      return questions.map(answerTo);
    },
    intervalMs: 1,
    stopping: stopping.signal,
  });
  return { next: poll.next, looks, stopping };
}

test('one query answers all waiting requests of a tenant', async () => {
  const { next, looks } = start();
  const answers = [ask('a', 1), ask('b', 2), ask('a', 3)].map((question) => next(question));
  expect(await Promise.all(answers)).toEqual([1, 2, 3]);
  expect(looks).toEqual(['a1 a3', 'b2']);
});

test('does not query for requests that stopped waiting', async () => {
  const { next, looks } = start();
  await Promise.all([next(ask('a', 1)), next(ask('a', 2))]);
  for (let i = 0; i < 3; i++) await next(ask('a', 1));
  expect(looks).toEqual(['a1 a2', 'a1', 'a1', 'a1']);
});

test('stops polling when all requests are aborted', async () => {
  const { next, looks } = start();
  const leaving = new AbortController();
  const answers = [next(ask('a', 1), leaving.signal), next(ask('a', 2), leaving.signal)];
  leaving.abort();
  for (const answer of answers) await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  await expect(next(ask('a', 3), leaving.signal)).rejects.toMatchObject({ name: 'AbortError' });
  expect(await next(ask('a', 4))).toBe(4);
  expect(looks).toEqual(['a4']);
});

test('an outage ends the round, not the polling', async () => {
  let isAway = true;
  const { next, looks } = start(({ n }) => {
    if (isAway) throw away();
    return n;
  });
  expect(await Promise.all([next(ask('a', 1)), next(ask('b', 2))])).toEqual([undefined, undefined]);
  isAway = false;
  expect(await next(ask('b', 2))).toBe(2);
  expect(looks).toEqual(['a1', 'b2']);
});

test('an unexpected error affects one tenant', async () => {
  const { next } = start(({ scope, n }) => {
    if (scope.tenantId === 'a') throw new Error('broken');
    return n;
  });
  const [broken, whole] = await Promise.allSettled([next(ask('a', 1)), next(ask('b', 2))]);
  expect(broken).toMatchObject({ reason: { message: 'broken' } });
  expect(whole).toMatchObject({ value: 2 });
});

test('shutdown rejects waiting requests', async () => {
  const { next, stopping } = start();
  const answer = next(ask('a', 1));
  stopping.abort();
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  await expect(next(ask('a', 1))).rejects.toMatchObject({ name: 'AbortError' });
});
