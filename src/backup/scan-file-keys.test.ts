import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { findWrongKey } from './scan-file-keys.js';

const KEY = '0b0e0a52-6f0f-4c3e-9d77-2f8a6f6f1c11';
/** Rows of three columns, of which the second has keys. */
const scan = (rows: string, parts = 1_000) => {
  const bytes = Buffer.from(rows);
  const pieces = Array.from({ length: Math.ceil(bytes.length / parts) }, (_, i) =>
    bytes.subarray(i * parts, (i + 1) * parts),
  );
  return findWrongKey(Readable.from(pieces), { place: 1, columns: 3 });
};

test.each([1, 7, 1_000])('rows as COPY writes them, in parts of %i bytes', async (parts) => {
  expect(await scan('', parts)).toBeUndefined();
  expect(await scan(`a\t${KEY}\tb\nc\\td\\\\\t\\N\te\\nf\\r\n\t${KEY}\t\n`, parts)).toBeUndefined();
});

test.each([
  '../../../etc/passwd',
  '/etc/passwd',
  '',
  'kept',
  KEY.toUpperCase(),
  `${KEY}/../x`,
  `${KEY}\\n`,
  KEY.replace('0b', '\\x30b'),
  '\\n',
  '\\N\\N',
])('the key %j', async (key) => {
  expect(await scan(`a\t${KEY}\tb\nc\t${key}\td\n`)).toBe(2);
});

test.each([
  // What follows a backslash is data: PostgreSQL would see other columns and rows than are here.
  [`a\\\t${KEY}\t../x\tb\n`, 1],
  [`a\\\n${KEY}\t../x\tb\n`, 1],
  [`a\t${KEY}\tb\\\n${KEY}\t../x\tb\n`, 1],
  // The first line would make carriage returns the ends of lines.
  [`a\t${KEY}\tb\ra\t../x\tb\n`, 1],
  [`a\t${KEY}\tb\n\\.\na\t../x\tb\n`, 2],
  [`a\t${KEY}\n`, 1],
  [`a\t${KEY}\tb\tc\n`, 1],
  [`a\t${KEY}\tb`, 1],
])('rows that COPY does not write: %j', async (rows, row) => {
  expect(await scan(rows)).toBe(row);
});
