import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createTenantQueue } from './tenant-queue.js';

const never = new AbortController().signal;

/** Work that goes on until `end` is called. */
function work() {
  const ending = new AbortController();
  const ended = once(ending.signal, 'abort');
  return { run: () => ended, end: () => ending.abort() };
}

/** Lets all that can go on do so. */
const settle = () => new Promise(setImmediate);

test('runs one task per tenant and at most `concurrency` tasks', async () => {
  const run = createTenantQueue({ concurrency: 2, maxWaiting: 10 });
  const begun: string[] = [];
  const works = ['a1', 'a2', 'b1', 'c1'].map((name) => ({ name, ...work() }));
  const all = works.map(({ name, run: task }) =>
    run(name.charAt(0), never, () => {
      begun.push(name);
      return task();
    }),
  );
  await settle();
  expect(begun).toEqual(['a1', 'b1']);
  works[0]!.end();
  await settle();
  expect(begun).toEqual(['a1', 'b1', 'a2']);
  works[2]!.end();
  await settle();
  expect(begun).toEqual(['a1', 'b1', 'a2', 'c1']);
  for (const { end } of works) end();
  await Promise.all(all);
});

test('a failed task frees its slot', async () => {
  const run = createTenantQueue({ concurrency: 1, maxWaiting: 10 });
  const failing = new Error('no');
  const first = run('a', never, () => Promise.reject(failing));
  const second = run('a', never, async () => 'done');
  await expect(first).rejects.toBe(failing);
  expect(await second).toBe('done');
});

test('rejects a tenant with too many waiting tasks, but not others', async () => {
  const run = createTenantQueue({ concurrency: 2, maxWaiting: 2 });
  const [slow, other] = [work(), work()];
  const running = run('a', never, slow.run);
  const waiting = [run('a', never, slow.run), run('a', never, slow.run)];
  await expect(run('a', never, slow.run)).rejects.toMatchObject({
    code: 'too_many_requests',
    message: 'Too many sitemaps of this tenant wait to be read; try again later.',
  });
  const others = run('b', never, other.run);
  for (const { end } of [slow, other]) end();
  await Promise.all([running, ...waiting, others]);
});

test('an aborted task leaves the queue', async () => {
  const run = createTenantQueue({ concurrency: 1, maxWaiting: 1 });
  const slow = work();
  const running = run('a', never, slow.run);
  const leaving = new AbortController();
  const reason = new Error('gone');
  const gone = run('a', leaving.signal, () => Promise.reject(new Error('This is never begun.')));
  leaving.abort(reason);
  await expect(gone).rejects.toBe(reason);
  await expect(run('a', leaving.signal, slow.run)).rejects.toBe(reason);
  const next = run('a', never, async () => 'done');
  slow.end();
  await running;
  expect(await next).toBe('done');
});
