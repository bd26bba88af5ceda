import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_BODY_VALUES, MAX_FIELD_NAME, parseJsonInSteps, TooManyValuesError } from './parse-json.js';
import { runAtOnce } from './steps.js';

/** Shorter texts are left to JSON.parse. */
const SPACE = ' '.repeat(MAX_BODY_VALUES);
const parse = (json: string) => runAtOnce(parseJsonInSteps(`${SPACE}${json}`));

function countSteps(json: string): number {
  let count = 1;
  for (const steps = parseJsonInSteps(json); !steps.next().done; ) count++;
  return count;
}

const outcome = (work: () => unknown) => {
  try {
    return { value: work() };
  } catch (error) {
    return { isSyntaxError: error instanceof SyntaxError };
  }
};

test('reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), undefined, indent);
      expect(parse(text)).toEqual(JSON.parse(text));
      expect(parse(json)).toEqual(JSON.parse(json));
    }),
  );
});

const PIECES = [
  ...'{}[]:,"',
  '"a"',
  '"b"',
  '\\',
  '\\u00e9',
  '0',
  '-1.5e3',
  '01',
  'null',
  'true',
  'x',
  '\n',
  '\0',
  ' ',
];

test('refuses what JSON.parse refuses', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }), (pieces) => {
      const json = pieces.join('');
      expect(outcome(() => parse(json))).toEqual(outcome(() => JSON.parse(json)));
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  '{"__proto__":{"a":1},"constructor":2}',
  '{"a":1,"a":2,"1":3,"0":4}',
  '"\\ud83d\\ude00 \\ud83d \\"\\\\ 😀"',
  '[-0,1e400,0.1,12345678901234567890]',
  '[[],{},[[{}]]]',
  '"\\u12"',
  '"\\u12',
  '"\\',
  '{"a"}',
  '[1,]',
  '[1 2]',
  '{"a":1]',
  '1 2',
  '',
])('takes %j as JSON.parse does', (json) => {
  const [mine, own] = [outcome(() => parse(json)), outcome(() => JSON.parse(json))];
  expect(mine).toEqual(own);
  expect(Object.keys(mine.value ?? {})).toEqual(Object.keys(own.value ?? {}));
});

describe('takes at most a million characters at a time', () => {
  const MANY = 3_000_000;
  const fields = Array.from({ length: 40_000 }, (_, i) => [`field ${i}`, i]);
  const texts: Record<string, string> = {
    'of a text': JSON.stringify({ text: 'x'.repeat(MANY) }),
    'of escapes': JSON.stringify('"\\\u0007\n'.repeat(MANY / 10)),
    'of emojis': JSON.stringify('😀'.repeat(MANY / 2)),
    'of spaces': `[${' '.repeat(MANY)}1]`,
    'and 2,000 values': JSON.stringify({ more: Object.fromEntries(fields), nested: 1 }),
  };
  test.each(Object.keys(texts))('%s', (name) => {
    const json = texts[name] as string;
    expect(runAtOnce(parseJsonInSteps(json))).toEqual(JSON.parse(json));
    expect(countSteps(json)).toBeGreaterThanOrEqual(name === 'and 2,000 values' ? 20 : 3);
  });
});

test('refuses more than 50,000 values, valid or not', () => {
  const list = (count: number) => `[${Array(count).fill(0).join(' , ')}]`;
  expect(parse(list(MAX_BODY_VALUES - 1))).toHaveLength(MAX_BODY_VALUES - 1);
  expect(() => parse(list(MAX_BODY_VALUES))).toThrow(TooManyValuesError);
  expect(() => parse('['.repeat(1_000_000))).toThrow(TooManyValuesError);
});

test('refuses the name of a field of more than 100,000 characters', () => {
  const named = (length: number) => JSON.stringify({ a: 1, ['x'.repeat(length)]: 1 });
  expect(parse(named(MAX_FIELD_NAME))).toEqual(JSON.parse(named(MAX_FIELD_NAME)));
  expect(() => parse(named(MAX_FIELD_NAME + 1))).toThrow(
    new SyntaxError('The name of a field has more than 100000 characters'),
  );
});
