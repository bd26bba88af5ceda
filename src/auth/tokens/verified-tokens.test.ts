import { expect, test } from 'vitest';
import { createVerifiedTokens } from './verified-tokens.js';

test('the least recently used tokens are forgotten', () => {
  const tokens = createVerifiedTokens<number>(30);
  for (const [index, letter] of ['a', 'b', 'c'].entries()) tokens.remember(letter.repeat(10), index);
  expect(tokens.find('a'.repeat(10))).toBe(0);
  tokens.remember('d'.repeat(10), 3);
  expect(['a', 'b', 'c', 'd'].map((letter) => tokens.find(letter.repeat(10)))).toEqual([0, undefined, 2, 3]);
});

test('a token that is remembered again, or forgotten, is counted once', () => {
  const tokens = createVerifiedTokens<number>(20);
  for (let i = 0; i < 5; i++) tokens.remember('a'.repeat(10), i);
  tokens.remember('b'.repeat(10), 1);
  expect(tokens.find('a'.repeat(10))).toBe(4);
  tokens.forget('a'.repeat(10));
  tokens.forget('a'.repeat(10));
  tokens.remember('c'.repeat(10), 2);
  expect([tokens.find('b'.repeat(10)), tokens.find('c'.repeat(10))]).toEqual([1, 2]);
});
