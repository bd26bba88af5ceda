import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonParts } from './send-json.js';

const join = (data: unknown) => [...jsonParts(data)].join('');

test('is what JSON.stringify makes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (data) => {
      expect(join(data)).toBe(JSON.stringify(data));
    }),
  );
  for (const data of [
    {
      nothing: undefined,
      time: new Date(0),
      list: [undefined, new Date(0)],
      empty: [],
      none: {},
      text: '"😀',
    },
    {},
    [],
    [[]],
    null,
  ])
    expect(join(data)).toBe(JSON.stringify(data));
  expect(join(undefined)).toBe('');
});

const page = { page: 1, data: Array(100).fill({ inputs: { text: 'x'.repeat(90_000) } }) };

test.each([
  ['a long text', { id: 'x', documentContent: 'a\n😀'.repeat(1_000_000) }],
  ['a list of large records', page],
  ['large records', page.data],
])('%s is made a million characters at a time', (_, data) => {
  const parts = [...jsonParts(data)];
  expect(parts.join('')).toBe(JSON.stringify(data));
  for (const part of parts) expect(part.length).toBeLessThan(3_000_000);
  expect(parts.length).toBeGreaterThanOrEqual(3);
});
