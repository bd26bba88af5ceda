import { expect, test } from 'vitest';
import { createNames, nameStatement, sharedNameOf } from './statement-names.js';

test('a statement keeps its name, and so many have one', () => {
  const nameOf = createNames();
  const texts = Array.from({ length: 150 }, (_, i) => `select ${i}`);
  const names = texts.map(nameOf);
  expect(names.slice(0, 100)).toEqual(texts.slice(0, 100).map((_, i) => `s${i}`));
  expect(names.slice(100)).toEqual(Array(50).fill(undefined));
  expect(texts.map(nameOf)).toEqual(names);
});

test('what every pool prepares has one name in all of them', () => {
  const [one, another] = [createNames(), createNames()];
  expect(sharedNameOf('select shared')).toBeUndefined();
  nameStatement('select shared');
  const name = sharedNameOf('select shared');
  expect(name).toMatch(/^c\d+$/);
  expect([one('select shared'), another('select shared')]).toEqual([name, name]);
});
