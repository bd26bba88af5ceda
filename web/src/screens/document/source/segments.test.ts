import { expect, test } from 'vitest';
import { toSegments } from './segments';

test('a page is cut where chunks begin and end, and loses nothing', () => {
  const chunks = [
    { chunkId: 'one', ordinal: 0, start: 0, end: 6 },
    { chunkId: 'two', ordinal: 1, start: 4, end: 9 },
    { chunkId: null, ordinal: 2, start: 9, end: 11 },
  ];
  expect(toSegments({ text: 'abcdefghijkl', chunks })).toEqual([
    { start: 0, text: 'abcd', chunkIds: ['one'] },
    { start: 4, text: 'ef', chunkIds: ['one', 'two'] },
    { start: 6, text: 'ghi', chunkIds: ['two'] },
    { start: 9, text: 'jkl', chunkIds: [] },
  ]);
  expect(toSegments({ text: '', chunks: [] })).toEqual([]);
});
