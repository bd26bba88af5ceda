import { expect, test } from 'vitest';
import { parseResourceHeaders } from './resource-headers.js';

const fileNameOf = (path: string, disposition?: string) =>
  parseResourceHeaders(
    disposition === undefined ? {} : { 'content-disposition': disposition },
    new URL(path, 'http://files.test'),
  ).fileName;

test.each([
  ['/p/a%00b.txt', undefined, 'ab.txt'],
  ['/p/a%0d%0ab.txt', undefined, 'ab.txt'],
  ['/p/..%2Fb.txt', undefined, 'b.txt'],
  ['/p/%00', undefined, undefined],
  ['/p', "attachment; filename*=utf-8''a%00b.txt", 'ab.txt'],
  ['/p', 'attachment; filename="C:\\x\\a.txt"', 'a.txt'],
])('a file name has neither folders nor control characters: %s %s', (path, disposition, fileName) => {
  expect(fileNameOf(path, disposition)).toBe(fileName);
});
