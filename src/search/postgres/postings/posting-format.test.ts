import { expect, it } from 'vitest';
import { findInBucket, readLengths, readWindows } from './posting-format.js';

const DAMAGED = 'The search index is damaged: a posting list ends too early.';

it.each([
  ['a number that does not end', Buffer.alloc(10, 0xff)],
  ['postings that are not there', Buffer.from([0, 0, 0, 1, 1, 100])],
  ['postings of a negative size', Buffer.from([0, 0, 0, 1, 1, 0xf7, 0xff, 0xff, 0xff, 0x0f])],
])('refuses %s', (_, bytes) => {
  expect(() => findInBucket(bytes, 7)).toThrow(DAMAGED);
});

it('refuses lengths that do not end', () => {
  expect(() => readLengths(Buffer.alloc(3, 0xff))).toThrow(DAMAGED);
});

it.each([
  ['that do not end', Buffer.alloc(3, 0xff)],
  ['of more chunks than a segment has', Buffer.from([0xff, 0xff, 0xff, 0x7f])],
])('refuses postings %s', (_, bytes) => {
  expect(() => readWindows({ bytes, start: 0, end: bytes.length, count: 1 }, 1_024)).toThrow(DAMAGED);
});
