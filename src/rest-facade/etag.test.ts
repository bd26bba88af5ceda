import { describe, expect, test } from 'vitest';
import { formatETag, parseIfMatch } from './etag.js';

describe('If-Match', () => {
  test.each([
    [undefined, undefined],
    ['*', undefined],
    [' * ', undefined],
    ['"3"', [3]],
    ['"3", "12"', [3, 12]],
    ['W/"3"', []],
    ['"abc"', []],
    ['""', []],
    ['"3", W/"4", "x"', [3]],
    ['"9999999999999999999"', []],
  ])('%j means the versions %j', (header, versions) => {
    expect(parseIfMatch(header)).toEqual(versions);
  });

  test.each(['3', '', '"3', '"3" "4"', '"3",', '*, "3"'])('%j is refused', (header) => {
    expect(() => parseIfMatch(header)).toThrow('must be * or entity tags');
  });

  test('accepts a formatted ETag', () => {
    expect(parseIfMatch(formatETag(7))).toEqual([7]);
  });
});
