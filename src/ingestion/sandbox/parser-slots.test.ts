import { expect, it } from 'vitest';
import { createParserSlots, type ParserSlot } from './parser-slots.js';

/** Asks for slots in an order, and tells in which they were given. */
function reader() {
  const slots = createParserSlots({ general: 1, small: 1, outstaying: 1 });
  const given: string[] = [];
  const held = new Map<string, ParserSlot>();
  const ask = (name: string, isSmall: boolean, signal?: AbortSignal, tenantId?: string) =>
    slots.acquire({ isSmall, tenantId }, signal).then((slot) => {
      given.push(name);
      held.set(name, slot);
    });
  const settle = () => new Promise(setImmediate);
  return {
    given,
    ask,
    settle,
    async done(name: string) {
      held.get(name)?.release();
      await settle();
    },
    async takesLong(name: string) {
      held.get(name)?.outstay();
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

it('lets a small file that takes long go on beside the others, and no more of these than there is room for', async () => {
  const { given, ask, settle, done, takesLong } = reader();
  for (const name of ['slow 1', 'slow 2', 'slow 3', 'small 1', 'small 2']) void ask(name, true);
  void ask('large', false);
  await settle();
  expect(given).toEqual(['slow 1', 'slow 2']);
  // The first holds the reserved slot, the second a general one, in which it may take as long as it does.
  await takesLong('slow 1');
  await takesLong('slow 2');
  expect(given.slice(2)).toEqual(['slow 3']);
  await takesLong('slow 3');
  expect(given.slice(3)).toEqual([]);
  // The first takes the general slot, so that there is room for the third beside the others.
  await done('slow 2');
  expect(given.slice(3)).toEqual([]);
  await takesLong('slow 3');
  expect(given.slice(3)).toEqual(['small 1']);
  await done('small 1');
  expect(given.slice(4)).toEqual(['small 2']);
  for (const name of ['slow 1', 'slow 3']) await done(name);
  expect(given.slice(5)).toEqual(['large']);
  for (const name of ['small 2', 'large']) await done(name);
  for (const name of ['last 1', 'last 2', 'last 3']) void ask(name, true);
  await settle();
  expect(given.slice(6)).toEqual(['last 1', 'last 2']);
});

it('lets the tenant go first that holds the fewest slots', async () => {
  const { given, ask, settle, done } = reader();
  for (const name of ['A 1', 'A 2', 'A 3', 'A 4']) void ask(name, true, undefined, 'A');
  for (const name of ['B 1', 'B 2']) void ask(name, true, undefined, 'B');
  await settle();
  expect(given).toEqual(['A 1', 'A 2']);
  await done('A 1');
  expect(given.slice(2)).toEqual(['B 1']);
  await done('A 2');
  expect(given.slice(3)).toEqual(['A 3']);
  await done('B 1');
  expect(given.slice(4)).toEqual(['B 2']);
});

it('keeps the reserved slot from a tenant whose file outstays', async () => {
  const { given, ask, settle, done, takesLong } = reader();
  for (const name of ['A 1', 'A 2', 'A 3', 'A 4']) void ask(name, true, undefined, 'A');
  await settle();
  await takesLong('A 1');
  expect(given).toEqual(['A 1', 'A 2']);
  void ask('B 1', true, undefined, 'B');
  await settle();
  expect(given.slice(2)).toEqual(['B 1']);
  await done('B 1');
  expect(given.slice(3)).toEqual([]);
  await done('A 2');
  expect(given.slice(3)).toEqual(['A 3']);
});
