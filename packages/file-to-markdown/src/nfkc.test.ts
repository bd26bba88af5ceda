import { expect, test } from 'vitest';
import { cpuTime } from '../test/support/cpu-time.js';
import { nfkc } from './nfkc.js';

test('folds compatibility forms, and leaves the marks that languages write', () => {
  expect(nfkc('ﬁ １ ｶﾞ e\u0301 ก็ a\u0316\u0301')).toBe('fi 1 ガ é ก็ á\u0316');
});

test('keeps thirty marks of one letter', () => {
  expect(nfkc(`x${'\u0308'.repeat(100)}y`)).toBe(`ẍ${'\u0308'.repeat(29)}y`);
});

test.each(['\u0301\u0316', '\u0301\uff9e'])(
  'takes linear time for a letter with 200,000 of the marks %j',
  async (marks) => {
    expect(await cpuTime(() => nfkc(`a${marks.repeat(100_000)}`))).toBeLessThan(1_000);
  },
);
