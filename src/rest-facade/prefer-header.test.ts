import { expect, test } from 'vitest';
import { parsePreferWait } from './prefer-header.js';

test.each<[string, number | undefined]>([
  ['wait=10', 10],
  ['WAIT = 10', 10],
  ['wait="10"', 10],
  ['wait=0', 0],
  ['wait=60', 60],
  ['wait=61', 60],
  ['wait=99999999999999999999', 60],
  ['respond-async, wait=10', 10],
  ['respond-async,,wait=10 , return=minimal', 10],
  ['wait=10; foo="bar, wait=3"', 10],
  ['foo="a, wait=3", wait=10', 10],
  ['foo="say \\"hi\\", wait=3", wait=10', 10],
  ['foo; wait=3, wait=10', 10],
  ['wait=10, wait=20', 10],
  ['', undefined],
  ['return=minimal', undefined],
  ['await=10', undefined],
  ['wait', undefined],
  ['wait, wait=10', undefined],
  ['wait=', undefined],
  ['wait=ten, wait=10', undefined],
  ['wait=-1', undefined],
  ['wait=1.5', undefined],
  ['wait=10s', undefined],
  ['wait="10', undefined],
  ['wait=10 20', undefined],
  ['foo="wait=10', undefined],
])('%j asks to wait for %j seconds', (header, seconds) => {
  expect(parsePreferWait(header)).toBe(seconds);
});

test('a long header that never closes its quotes is read in one go', () => {
  expect(parsePreferWait(`a="${'\\"'.repeat(8_000)}`)).toBeUndefined();
});
