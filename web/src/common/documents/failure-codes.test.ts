import { expect, test } from 'vitest';
// biome-ignore lint/style/noRestrictedImports: this test alone compares the console with the server
import { failureCodes } from '../../../../src/errors/failure-codes';
import { mayPass } from './failure-codes';
import { mayHelp } from './may-help';
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

test('another try is offered where it can change something', () => {
  const helps = (code: string, source: 'none' | 'file' | 'url' | 'storage', hasEngine = false) =>
    mayHelp({ source, error: { code, stage: 'parsing', message: '', retryable: false } }, hasEngine);
  for (const code of [
    'encrypted',
    'corrupt',
    'empty_text',
    'too_large',
    'scanned',
    'nothing_recognized',
    'file_missing',
  ])
    expect(helps(code, 'file'), code).toBe(false);
  for (const code of ['internal', 'timeout', 'quota_exceeded', 'novel'])
    expect(helps(code, 'file'), code).toBe(true);
  expect([helps('encrypted', 'url'), helps('corrupt', 'storage')]).toEqual([true, true]);
  expect([helps('invalid_url', 'url'), helps('internal', 'none')]).toEqual([false, false]);
  expect([helps('scanned', 'file', true), helps('encrypted', 'file', true)]).toEqual([true, false]);
  expect(mayHelp({ source: 'file', error: null }, false)).toBe(true);
});
