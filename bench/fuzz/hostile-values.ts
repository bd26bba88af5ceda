import type { Random } from '../support/random.js';

const times = (text: string, count: number) => () => text.repeat(count);
const given =
  <T>(value: T) =>
  () =>
    value;

/** Texts that something somewhere might stumble over: empty, unstorable, odd, injected, or far too long. */
const TEXTS: (() => string)[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00a',
  '\u202e\u2066',
  '\ufeff',
  '\r\n\r\n',
  '%00',
  '%',
  '%zz',
  ...[
    "'; drop table documents; --",
    '$1',
    '%s%n',
    '../../../etc/passwd',
    '<script>alert(1)</script>',
    '{{7*7}}',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'null',
    'undefined',
    'NaN',
    'true',
    '[]',
    '{}',
    '[',
    '["',
    '{"a":',
  ],
  '-1',
  '1e309',
  '0x10',
  '1_000',
  '٣',
  '1.',
  '+1',
  '９',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:60Z',
  '+275760-09-13T00:00:00.001Z',
  '2026-02-30T00:00:00Z',
  ...[
    'http://',
    'http://[',
    'http://a:b@c.invalid/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://0/',
  ],
  'whsec_',
  'lectern_',
  'urls',
  'idempotency',
  '*',
  'W/"1"',
  '"',
  'é',
  '😀',
  '한국어',
  'ﷺ',
  'İıſß',
].map(given);

const LONG_TEXTS: (() => string)[] = [
  ...[
    'a',
    'a.',
    ' ',
    '\n',
    '<',
    '(',
    '[',
    '&',
    '%',
    '"',
    '\\',
    '0',
    '中',
    '\u0301',
    '😀',
    'ﷺ',
    '한',
    "a'",
    '-',
    '#',
  ],
  'a b ',
  '[](',
  '<a ',
  '&amp;',
  'http://a.',
  '\r\n',
  '| ',
  '> ',
  '* ',
  '\u200d',
  '["a",',
  '{"a":',
  'a,',
].flatMap((pattern) => [times(pattern, 300), times(pattern, 20_000), times(pattern, 200_000)]);

const NUMBERS = [
  0,
  -0,
  -1,
  0.5,
  1.5,
  101,
  2 ** 31,
  2 ** 31 - 1,
  -(2 ** 31),
  2 ** 32,
  2 ** 53,
  2 ** 53 - 1,
  -(2 ** 53),
  1e21,
  1e100,
  1.7e308,
  -1.7e308,
  5e-324,
];

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = i % 2 ? { a: value } : [value];
  return value;
};
/** Almost as many values as a body may have. */
const MANY = 49_000;
const wide = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));

const STRUCTURES: (() => unknown)[] = [
  ...[null, true, false, [], {}, [[]], [null], { '': '' }].map(given),
  () => JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}'),
  ...[10, 100, 3_000].map((depth) => () => nested(depth)),
  ...[100, 1_001, MANY].map((count) => () => wide(count)),
  ...[101, 1_001, MANY].map((count) => () => Array.from({ length: count }, (_, i) => `item ${i}`)),
  ...[101, MANY].map((count) => () => Array.from({ length: count }, () => ({}))),
];

export const hostileText = (random: Random): string =>
  random.oneOf(random.below(4) === 0 ? LONG_TEXTS : TEXTS)();

/** Any value that JSON can write. */
export function hostileValue(random: Random): unknown {
  const kind = random.weighted({ text: 6, number: 3, structure: 3 });
  if (kind === 'text') return hostileText(random);
  return kind === 'number' ? random.oneOf(NUMBERS) : random.oneOf(STRUCTURES)();
}

/** A value for a header: Node.js sends Latin-1 without line breaks. */
export const hostileHeader = (random: Random): string =>
  hostileText(random)
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, 'ÿ')
    .slice(0, random.oneOf([10, 300, 12_000]));
