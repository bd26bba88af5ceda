import { beforeAll, describe, expect, test } from 'vitest';
import { faultOf } from './patterns/check-pattern.js';
import { findPatterns, type Pattern, sourceFiles } from './patterns/find-patterns.js';
import { recordConstructed } from './patterns/record-regexp-calls.js';
import { slowTextOf } from './patterns/time-pattern.js';

/** Patterns that are not linear, and why their text is short. */
const SHORT_TEXTS: Record<string, string> = {
  'src/ingestion/chunking/split/blocks.ts /[*_`]{1,3}(\\S(?:.*?\\S)?)[*_`]{1,3}/g':
    'a title has at most 300 characters',
  'src/outbound-http/public-address.ts /%.*$/': 'an address that a resolver gave',
};

const found = sourceFiles([
  'src',
  'db',
  'packages/embedded-postgres/src',
  'packages/file-to-markdown/src',
]).map((file) => ({
  file,
  ...findPatterns(file),
}));
const nameOf = ({ file, source, flags }: Pattern) => `${file} /${source}/${flags}`;
let patterns: Map<string, Pattern>;

beforeAll(async () => {
  const constructing = found.filter(({ constructions }) => constructions.length > 0);
  const made = await recordConstructed(constructing.map(({ file }) => file));
  const places = ({ file, line }: { file: string; line: number }) => `${file}:${line}`;
  // One that is made later, in a function, is not seen here: make it where the file is loaded.
  expect(made.map(places).sort()).toEqual(
    constructing
      .flatMap(({ file, constructions }) => constructions.map((line) => places({ file, line })))
      .sort(),
  );
  patterns = new Map(
    [...found.flatMap(({ literals }) => literals), ...made].map((pattern) => [nameOf(pattern), pattern]),
  );
}, 120_000);

test('every regular expression of the source takes linear time, by a static analysis', () => {
  const faults = [...patterns].flatMap(([name, pattern]) => {
    const fault = faultOf(pattern);
    return fault === undefined ? [] : [[name, fault]];
  });
  const unforeseen = faults.filter(([name = '']) => !(name in SHORT_TEXTS));
  expect(unforeseen).toEqual([]);
  expect(faults.map(([name]) => name).sort()).toEqual(Object.keys(SHORT_TEXTS).sort());
}, 900_000);

test('every regular expression of the source takes linear time on texts made of its own alphabet', async () => {
  const slow: Record<string, string> = {};
  for (const [name, pattern] of patterns) {
    const text = name in SHORT_TEXTS ? undefined : await slowTextOf(pattern);
    if (text !== undefined) slow[name] = text;
  }
  expect(slow).toEqual({});
}, 600_000);

test('no method makes a regular expression of a text', () => {
  expect(found.flatMap(({ file, texts }) => texts.map((line) => `${file}:${line}`))).toEqual([]);
});

describe('a planted pattern', () => {
  test('is found wherever it stands', () => {
    const code = [
      "const a = { key: /a+b/g, ...[(x: RegExp) => <RegExp>x] }, b = new RegExp('a+b');",
      'const c = [/c+d/u.source] as string[]; type T = RegExp; class D { e = globalThis.RegExp }',
      "f('text'.match('a+b'), 'text'.search(`a+b`), 'text'.split('a'));",
    ].join('\n');
    expect(findPatterns('planted.ts', code)).toEqual({
      literals: expect.arrayContaining([
        { file: 'planted.ts', line: 1, source: 'a+b', flags: 'g' },
        { file: 'planted.ts', line: 2, source: 'c+d', flags: 'u' },
      ]),
      constructions: expect.arrayContaining([1, 2]),
      texts: [3, 3],
    });
  });

  test.each([
    [/\s+$/],
    [/"(?:[^"\\\n]|\\.)*(?:"|$)/g],
    [/[\w.+-]+@[\w-]+\.[\w.-]+/g],
    [/\b[\w-]+(?:\.[\w-]+)*\.(?:com|org)\b/g],
  ])(
    '%s is refused by the analysis',
    (pattern) => {
      expect(faultOf(pattern)).toMatch(/^vulnerable/);
    },
    120_000,
  );

  test.each([[/a+b/], [/(a*)*b/], [/<body\b[^>]*>/i], [/(?<!x)<meta\s[^>]*charset/i]])(
    '%s is refused by the analysis, and slow',
    async (pattern) => {
      expect(faultOf(pattern)).toMatch(/^vulnerable/);
      expect(await slowTextOf(pattern)).toEqual(expect.any(String));
    },
    120_000,
  );

  test.each([[/(?<!a)a+b/], [/\s+/g], [/<body\b[^<>]*>/i], [/^\s+/], [/"(?:[^"\\]|\\.)*("|$)?/g]])(
    '%s is linear',
    async (pattern) => {
      expect([faultOf(pattern), await slowTextOf(pattern)]).toEqual([undefined, undefined]);
    },
    120_000,
  );
});
