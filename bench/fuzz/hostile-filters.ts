import {
  MAX_FILTER_DEPTH,
  MAX_FILTER_PARTS,
  MAX_FILTER_VALUE_LENGTH,
  MAX_FILTER_VALUES,
} from '../../src/services/search/filter.schema.js';

const KEYS = ['colour', 'document.name', 'document.createdTime', 'metadata.filename', 'customProperties.a'];
const LONGEST_KEY = 300;

const key = (n: number): string => KEYS[n % KEYS.length] as string;
const longKey = (n: number): string => `metadata.${n}`.padEnd(LONGEST_KEY, 'k');
const longValue = (n: number): string => `${n}`.padEnd(MAX_FILTER_VALUE_LENGTH, '中');
const list = <T>(length: number, make: (n: number) => T): T[] => Array.from({ length }, (_, n) => make(n));
const not = (filter: object, depth: number): object =>
  depth === 0 ? filter : { type: 'not', filter: not(filter, depth - 1) };
const tree = (depth: number, leaf: (n: number) => object): object =>
  depth === 0 ? leaf(depth) : { type: 'or', filters: [tree(depth - 1, leaf), leaf(depth)] };

/** As deep, as many and as long as filters may be, and one more of each. */
export const hostileFilters: readonly object[] = [
  ...[MAX_FILTER_PARTS - 1, MAX_FILTER_PARTS].flatMap((parts) => [
    { type: 'or', filters: list(parts, (n) => ({ type: 'contains', key: longKey(n), value: longValue(n) })) },
    { type: 'and', filters: list(parts, (n) => ({ type: 'ne', key: key(n), value: longValue(n) })) },
    { type: 'and', filters: list(parts, (n) => ({ type: 'exists', key: longKey(n) })) },
  ]),
  ...[MAX_FILTER_VALUES, MAX_FILTER_VALUES + 1].flatMap((values) => [
    { type: 'in', key: longKey(0), value: list(values, longValue) },
    { type: 'nin', key: 'metadata.filename', value: list(values, longValue) },
    { type: 'nin', key: 'document.urlPrefix', value: list(values, longValue) },
    { type: 'in', key: 'document.createdTime', value: list(values, () => '2026-01-01T00:00:00.000Z') },
  ]),
  ...[MAX_FILTER_DEPTH - 1, MAX_FILTER_DEPTH, 1_000].flatMap((depth) => [
    not({ type: 'eq', key: 'colour', value: 'red' }, depth),
    tree(depth, (n) => ({ type: 'contains', key: key(n), value: longValue(n) })),
  ]),
];
