import { expect, it } from 'vitest';
import { createParserSlots } from './parser-slots.js';

/** Asks for slots in an order, and tells in which they were given. */
function reader() {
  const slots = createParserSlots({ general: 1, small: 1 });
  const given: string[] = [];
  const release = new Map<string, () => void>();
  const ask = (name: string, isSmall: boolean, signal?: AbortSignal) =>
    slots.acquire(isSmall, signal).then((give) => {
      given.push(name);
      release.set(name, give);
    });
  const settle = () => new Promise(setImmediate);
  return {
    given,
    ask,
    settle,
    async done(name: string) {
      release.get(name)?.();
      await settle();
    },
  };
}

it('reserves a slot for small files and grants the others first in, first out', async () => {
  const { given, ask, settle, done } = reader();
  for (const [name, isSmall] of [
    ['large 1', false],
    ['large 2', false],
    ['small 1', true],
    ['small 2', true],
    ['large 3', false],
  ] as const) {
    void ask(name, isSmall);
  }
  await settle();
  expect(given).toEqual(['large 1', 'small 1']);
  await done('small 1');
  expect(given).toEqual(['large 1', 'small 1', 'small 2']);
  await done('small 2');
  expect(given).toEqual(['large 1', 'small 1', 'small 2']);
  await done('large 1');
  await done('large 2');
  expect(given.slice(3)).toEqual(['large 2', 'large 3']);
});

it('lets small files use the general slots as well', async () => {
  const { given, ask, settle, done } = reader();
  for (const name of ['small 1', 'small 2', 'small 3']) void ask(name, true);
  void ask('large', false);
  await settle();
  expect(given).toEqual(['small 1', 'small 2']);
  await done('small 2');
  await done('small 1');
  expect(given).toEqual(['small 1', 'small 2', 'small 3']);
  await done('small 3');
  expect(given.at(-1)).toBe('large');
});

it('removes aborted waiters', async () => {
  const { given, ask, settle, done } = reader();
  const stop = new AbortController();
  await ask('large 1', false);
  const waiting = ask('large 2', false, stop.signal);
  void ask('large 3', false);
  stop.abort(new Error('cancelled'));
  await expect(waiting).rejects.toThrow('cancelled');
  await expect(ask('late', false, stop.signal)).rejects.toThrow('cancelled');
  await done('large 1');
  await settle();
  expect(given).toEqual(['large 1', 'large 3']);
});
