import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sourceFiles } from './patterns/find-patterns.js';

test('no signal is made by AbortSignal.any, which keeps something in signals that live long', () => {
  const using = (text: string) => /\bAbortSignal\s*\??\.\s*any\(/.test(text);
  expect(using('AbortSignal.any([one, another])')).toBe(true);
  const files = sourceFiles(['src', 'db', 'packages/embedded-postgres/src', 'packages/file-to-markdown/src']);
  expect(files.filter((file) => using(readFileSync(file, 'utf8')))).toEqual([]);
});
