import { expect, test } from 'vitest';
// biome-ignore lint/style/noRestrictedImports: this test alone compares the console with the server
import { failureCodes } from '../../../../src/errors/failure-codes';
import { mayPass } from './failure-codes';
import { en } from './messages.en';
import { zh } from './messages.zh';

const codes = Object.keys(failureCodes).sort();

test('the console has words for every reason why documents fail', () => {
  expect(Object.keys(en.failures).sort()).toEqual(codes);
  expect(Object.keys(zh.failures).sort()).toEqual(codes);
});

test('what Lectern tries again by itself, somebody may try again', () => {
  const retried = Object.entries(failureCodes).filter(([, { retries }]) => retries !== 'no');
  for (const [code] of retried) expect(mayPass(code), code).toBe(true);
  expect(mayPass('encrypted')).toBe(false);
  expect(mayPass('novel')).toBe(false);
});
