import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runAtOnce } from '../async/steps.js';
import { fingerprintInSteps } from './fingerprint.js';

const fingerprint = (input: unknown) => runAtOnce(fingerprintInSteps('a.path', input)).toString('hex');

/** As stored by the first release: retries go on while servers are upgraded. */
const formerly = (input: unknown) => {
  const json =
    JSON.stringify(input, (_key, value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    ) ?? '';
  return createHash('sha256').update('a.path').update('\0').update(json).digest('hex');
};

function countSteps(input: unknown): number {
  let count = 1;
  for (const steps = fingerprintInSteps('a.path', input); !steps.next().done; ) count++;
  return count;
}

test('is the one of earlier releases', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (input) => {
      expect(fingerprint(input)).toBe(formerly(input));
    }),
  );
  for (const input of [
    undefined,
    { b: 1, a: [undefined, null, new Date(0)], 10: 'x', 9: 'y', nothing: undefined, empty: {}, none: [] },
    JSON.parse('{"__proto__":{"z":1,"a":2}}'),
    new ReadableStream(),
    { text: '😀中\n"'.repeat(500_000) },
  ])
    expect(fingerprint(input)).toBe(formerly(input));
});

test('is made of a hundred thousand characters, or of a part of a text, at a time', () => {
  const customProperties = Object.fromEntries(
    Array.from({ length: 400 }, (_, i) => [`name ${i}`, 'a value']),
  );
  const documents = Array(100).fill({ customProperties });
  expect(countSteps({ documents })).toBeGreaterThanOrEqual(JSON.stringify({ documents }).length / 110_000);
  expect(countSteps({ documentContent: '中'.repeat(5_000_000) })).toBeGreaterThanOrEqual(5);
});
