import { expect, test } from 'vitest';
import { importBatches } from './import-batches.js';

const sizes = (documents: object[]) => [...importBatches(documents)].map(({ length }) => length);

test('a statement has at most 500 documents, and few long ones', () => {
  expect(sizes([])).toEqual([]);
  expect(sizes(Array(1_100).fill({ documentName: 'short' }))).toEqual([500, 500, 100]);
  const wide = { customProperties: { text: 'x'.repeat(250_000) } };
  expect(sizes(Array(10).fill(wide))).toEqual([4, 4, 2]);
  const long = { documentContent: 'x'.repeat(400_000) };
  expect(sizes([long, wide, {}, long, {}, long, wide])).toEqual([4, 3]);
  expect(sizes([{ documentContent: 'x'.repeat(5_000_000) }, {}])).toEqual([1, 1]);
});

test('its documents have their columns', () => {
  const document = { url: 'https://example.test/', customProperties: { a: 1 } };
  const [[first] = []] = importBatches([document]);
  expect(first).toMatchObject({ ...document, columns: { url: document.url, customProperties: '{"a":1}' } });
});
