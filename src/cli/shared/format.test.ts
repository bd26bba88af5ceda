import { expect, test } from 'vitest';
import { countOf, formatAge, formatBytes, formatFields, formatSpan, formatTable, shorten } from './format.js';

test.each([
  [0, '0 ms'],
  [340.4, '340 ms'],
  [3_240, '3.2 s'],
  [59_400, '59 s'],
  [59_900, '1 min 0 s'],
  [130_000, '2 min 10 s'],
  [11_100_000, '3 h 5 min'],
  [353_000_000, '4 d 2 h'],
])('%d ms are %s', (ms, text) => {
  expect(formatSpan(ms)).toBe(text);
});

test.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [4096, '4.0 KiB'],
  [150 * 1024, '150 KiB'],
  [3.25 * 1024 ** 3, '3.3 GiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test('an age is never negative, whatever the clocks say', () => {
  const now = new Date('2026-01-01T00:00:10Z');
  expect(formatAge(new Date('2026-01-01T00:00:00Z'), now)).toBe('10 s');
  expect(formatAge(new Date('2026-01-01T00:00:11Z'), now)).toBe('0 ms');
});

test('one is no plural', () => {
  expect([countOf(1, 'chunk'), countOf(0, 'chunk'), countOf(2_000, 'chunk')]).toEqual([
    '1 chunk',
    '0 chunks',
    '2,000 chunks',
  ]);
});

test('values of fields stand in one column, further lines too', () => {
  expect(
    formatFields([
      ['a', 'one\ntwo'],
      ['long', 'three'],
    ]),
  ).toBe('  a     one\n        two\n  long  three\n');
});

test('numbers of a table stand to the right, words to the left', () => {
  expect(
    formatTable(
      ['term', 'chunks'],
      [
        ['damage', '3'],
        ['to', '1,200'],
      ],
    ),
  ).toBe('term    chunks\ndamage       3\nto       1,200\n');
});

test('a cell with line breaks and tabs stays one row', () => {
  expect(formatTable(['unit'], [['a\nkey\ttenant']])).toBe('unit\na\\nkey\\ttenant\n');
});

test('text is cut at characters, on one line', () => {
  expect(shorten('  two\n words ', 9)).toBe('two words');
  expect(shorten('😀😀😀', 2)).toBe('😀…');
});
