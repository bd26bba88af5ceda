import { once } from 'node:events';
import { expect, test } from 'vitest';
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.js';

/** Work that goes on until `end` is called. */
function work() {
  const ending = new AbortController();
  const ended = once(ending.signal, 'abort');
  return { run: () => ended, end: () => ending.abort() };
}

/** Lets all that can go on do so. */
const settle = () => new Promise(setImmediate);

/** Starts tasks named after their key, and logs which have begun. */
function startAll(limit: ConcurrencyLimit, names: string[]) {
  const begun: string[] = [];
  const works = names.map(work);
  const results = names.map((name, i) =>
    limit.run(name.charAt(0), async () => {
      begun.push(name);
      await works[i]!.run();
      return name;
    }),
  );
  const end = (name: string) => works[names.indexOf(name)]!.end();
  return { begun, end, results };
}

test('limits the tasks of each key, first in, first out', async () => {
  const { begun, end, results } = startAll(createConcurrencyLimit({ perKey: 2 }), [
    'a1',
    'a2',
    'a3',
    'a4',
    'b1',
  ]);
  await settle();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  end('a2');
  await settle();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  for (const name of ['a1', 'a3', 'b1']) end(name);
  await settle();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
  end('a4');
  expect(await Promise.all(results)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
});

test('limits the tasks of all keys', async () => {
  const limit = createConcurrencyLimit({ perKey: 1, total: 2 });
  const { begun, end, results } = startAll(limit, ['a1', 'a2', 'b1', 'c1']);
  await settle();
  expect(begun).toEqual(['a1', 'b1']);
  expect(['a', 'b', 'c'].map(limit.countWaiting)).toEqual([1, 0, 1]);
  end('a1');
  await settle();
  expect(begun).toEqual(['a1', 'b1', 'a2']);
  end('a2');
  await settle();
  expect(begun).toEqual(['a1', 'b1', 'a2', 'c1']);
  for (const name of ['b1', 'c1']) end(name);
  await Promise.all(results);
});

test('a failed task frees its slot', async () => {
  const { run } = createConcurrencyLimit({ perKey: 1 });
  const failing = new Error('no');
  const first = run('a', () => Promise.reject(failing));
  const second = run('a', async () => 'done');
  await expect(first).rejects.toBe(failing);
  expect(await second).toBe('done');
});

test('an aborted task leaves the queue', async () => {
  const { run, countWaiting } = createConcurrencyLimit({ perKey: 1 });
  const slow = work();
  const running = run('a', slow.run);
  const leaving = new AbortController();
  const reason = new Error('gone');
  const gone = run('a', () => Promise.reject(new Error('This is never begun.')), leaving.signal);
  leaving.abort(reason);
  await expect(gone).rejects.toBe(reason);
  expect(countWaiting('a')).toBe(0);
  await expect(run('a', slow.run, leaving.signal)).rejects.toBe(reason);
  const next = run('a', async () => 'done');
  slow.end();
  await running;
  expect(await next).toBe('done');
});

const full = () => new Error('full');

test('refuses tasks of a key at once where enough of them wait', async () => {
  const { run } = createConcurrencyLimit({ perKey: 1, wait: { maxMs: 60_000, maxTasks: 1, toError: full } });
  const slow = work();
  const tasks = [run('a', slow.run), run('a', async () => 'waited')];
  await expect(run('a', async () => 'never')).rejects.toThrow('full');
  expect(await run('b', async () => 'other')).toBe('other');
  slow.end();
  expect((await Promise.all(tasks))[1]).toBe('waited');
});

test('other work goes on while many tasks give up waiting', async () => {
  const { run } = createConcurrencyLimit({ perKey: 1, wait: { maxMs: 1, maxTasks: 100, toError: full } });
  const slow = work();
  const running = run('a', slow.run);
  let refused = 0;
  for (let i = 0; i < 100; i++) run('a', slow.run).catch(() => refused++);
  const seen = new Set<number>();
  while (refused < 100) {
    await settle();
    seen.add(refused);
  }
  expect(seen.size).toBeGreaterThan(3);
  slow.end();
  await running;
});
