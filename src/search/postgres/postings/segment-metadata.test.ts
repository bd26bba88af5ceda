import { expect, test } from 'vitest';
import { rangesOf } from '../../filter/entry.js';
import type { Comparison } from '../../filter/filter.js';
import { SegmentMetadata, visitOrdinals } from './segment-metadata.js';

const CHUNKS = 3_000;
/** Chunks are in another order in the segment than they came. */
const ordinals = Uint32Array.from({ length: CHUNKS }, (_, chunk) => (chunk * 7) % CHUNKS);
const values = Array.from({ length: CHUNKS }, (_, i) => ({
  everywhere: '',
  half: i % 2 === 0,
  place: i,
  tags: [i % 9],
}));

function build(chunks: object[]) {
  const metadata = new SegmentMetadata();
  for (const [i, one] of chunks.entries()) metadata.add(i, one);
  return { isComplete: metadata.isComplete, rows: [...metadata.rows(ordinals)] };
}

/** Numbers of chunks that the blocks have in a comparison's ranges. */
function find(rows: ReturnType<typeof build>['rows'], comparison: Comparison): number[] {
  const found = new Set<number>();
  for (const range of rangesOf(comparison, comparison.key) ?? [])
    for (const { entries } of rows) visitOrdinals(entries, range, (ordinal) => found.add(ordinal));
  return [...ordinals.keys()].filter((chunk) => found.has(ordinals[chunk] as number));
}

test.each<[Comparison, (value: (typeof values)[number]) => boolean]>([
  [{ type: 'eq', key: 'everywhere', value: '' }, () => true],
  [{ type: 'eq', key: 'half', value: true }, ({ half }) => half],
  [{ type: 'gte', key: 'place', value: 2_990 }, ({ place }) => place >= 2_990],
  [{ type: 'in', key: 'place', value: [0, 17, 5_000] }, ({ place }) => place === 0 || place === 17],
  [{ type: 'contains', key: 'tags', value: 4 }, ({ tags }) => tags[0] === 4],
  [{ type: 'exists', key: 'tags', value: true }, () => true],
  [{ type: 'exists', key: 'other', value: true }, () => false],
])('finds the chunks of %o', (comparison, passes) => {
  const { rows } = build(values);
  expect(find(rows, comparison)).toEqual([...values.keys()].filter((i) => passes(values[i] as never)));
});

test('makes blocks in ascending order, of about the same size but for entries of many chunks', () => {
  const { rows } = build(values);
  const first = rows.map(({ firstEntry }) => firstEntry.toString('hex'));
  expect(first).toEqual(first.toSorted());
  const sizes = rows.map(({ entries }) => entries.length).toSorted((a, b) => b - a);
  // All chunks have an entry of `everywhere` and of `tags`.
  expect(sizes.slice(0, 2).every((size) => size > CHUNKS)).toBe(true);
  expect(sizes.slice(2).every((size) => size < 1_600)).toBe(true);
});

test('has nothing where a chunk has too many keys', () => {
  const many = Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`key${i}`, i]));
  expect(build([...values, many])).toEqual({ isComplete: false, rows: [] });
});
