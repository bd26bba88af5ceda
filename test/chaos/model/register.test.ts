import { expect, test } from 'vitest';
import { createRegister } from './register.js';

test('a change in doubt may be seen or not, and has happened once it is seen', () => {
  const register = createRegister('old');
  register.change('new');
  expect({ value: register.value, possible: register.possible(), isCertain: register.isCertain() }).toEqual({
    value: 'old',
    possible: ['old', 'new'],
    isCertain: false,
  });
  expect(register.see('old')).toBe(true);
  expect(register.isCertain()).toBe(false);
  expect(register.see('new')).toBe(true);
  expect({ value: register.value, isCertain: register.isCertain() }).toEqual({
    value: 'new',
    isCertain: true,
  });
  expect(register.see('old')).toBe(false);
});

test('after an acknowledged change nothing earlier may be seen, after a refused one not what was refused', () => {
  const register = createRegister(1);
  register.change(2);
  register.change(3).acknowledge();
  register.change(4).refuse();
  expect([1, 2, 3, 4].filter((value) => register.see(value))).toEqual([3]);
});

test('a search may have seen what a value was at some moment between its begin and its end', () => {
  const register = createRegister('old');
  const begin = performance.now();
  const change = register.change('new');
  const asked = performance.now();
  change.acknowledge();
  const end = performance.now() + 1;
  const might = (value: string, from: number, until: number) =>
    register.might((one) => one === value, from, until);
  expect([might('old', begin, asked), might('new', begin, end), might('old', begin, end)]).toEqual([
    true,
    true,
    true,
  ]);
  expect([might('old', end, end + 1), might('new', begin - 2, begin - 1)]).toEqual([false, false]);
});
