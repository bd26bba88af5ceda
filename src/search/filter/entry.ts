import { createHash } from 'node:crypto';
import type { Comparison, FilterValue } from './filter.js';

/**
 * Entries of values in an index, as the function `property_entry` of the database makes them: 8 bytes of a hash of the
 * name, the type, and the value in bytes that sort as a JSON path compares. Long strings and numbers beyond double precision
 * may share entries: what an index finds may pass.
 */
export interface EntryRange {
  /** Both inclusive. */
  least: Buffer;
  most: Buffer;
}

/** In the order of the types; `none` are arrays and objects, `long` arrays whose elements have no entries. */
const TYPE = { none: 0, number: 1, string: 2, boolean: 3, long: 4 } as const;
const MAX_ELEMENTS = 64;
/** Of a string; a hash follows. */
const MAX_BYTES = 48;
const HASH_BYTES = 8;
const LAST = Buffer.alloc(MAX_BYTES + HASH_BYTES, 0xff);

/** The entries of a value under a name, without a hash of the name. */
export function entriesOf(value: unknown): Buffer[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) return [isScalar(value) ? toEntry(value) : Buffer.of(TYPE.none)];
  if (value.length > MAX_ELEMENTS) return [Buffer.of(TYPE.long)];
  const elements = value.filter((one) => typeof one === 'number' || typeof one === 'boolean');
  return [Buffer.of(TYPE.none), ...elements.map(toEntry)];
}

/** What entries of a name begin with. */
export const hashName = (name: string): Buffer => sha256(name);

/**
 * Where the entries are of values that a comparison lets pass.
 *
 * @param name of what has the value, as in the index
 * @returns undefined where no index helps
 */
export function rangesOf(comparison: Comparison, name: string): EntryRange[] | undefined {
  const head = hashName(name);
  return toRanges(comparison)?.map(({ least, most }) => ({
    least: Buffer.concat([head, least]),
    most: Buffer.concat([head, most]),
  }));
}

/** Where strings are that begin with one. */
export function prefixRange(prefix: string, name: string): EntryRange {
  const least = Buffer.concat([hashName(name), cut(prefix)]);
  return { least, most: Buffer.concat([least, LAST]) };
}

/** Of the same name. */
export const intersectRanges = (one: EntryRange, other: EntryRange): EntryRange => ({
  least: Buffer.compare(one.least, other.least) < 0 ? other.least : one.least,
  most: Buffer.compare(one.most, other.most) < 0 ? one.most : other.most,
});

/** The hash of its name. */
export const nameOf = ({ least }: EntryRange): string => least.toString('hex', 0, HASH_BYTES);

function toRanges(comparison: Comparison): EntryRange[] | undefined {
  switch (comparison.type) {
    case 'eq':
      return [single(comparison.value)];
    case 'in':
      return comparison.value.map(single);
    case 'gt':
    case 'gte':
      return [{ least: cut(comparison.value), most: Buffer.concat([typeOf(comparison.value), LAST]) }];
    case 'lt':
    case 'lte': {
      const bound = cut(comparison.value);
      const most = isLong(comparison.value) ? Buffer.concat([bound, LAST]) : bound;
      return [{ least: typeOf(comparison.value), most }];
    }
    case 'exists':
      return comparison.value ? [{ least: Buffer.of(TYPE.none), most: LAST }] : undefined;
    case 'contains': {
      if (typeof comparison.value === 'string') return undefined;
      const long = Buffer.of(TYPE.long);
      return [single(comparison.value), { least: long, most: long }];
    }
    default:
      return undefined;
  }
}

const isScalar = (value: unknown): value is FilterValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function single(value: FilterValue): EntryRange {
  const entry = toEntry(value);
  return { least: entry, most: entry };
}

const typeOf = (value: FilterValue) => Buffer.of(TYPE[typeof value as 'number' | 'string' | 'boolean']);

function toEntry(value: FilterValue): Buffer {
  if (typeof value === 'boolean') return Buffer.of(TYPE.boolean, Number(value));
  if (typeof value === 'number') return Buffer.concat([typeOf(value), orderedBytes(value)]);
  return isLong(value) ? Buffer.concat([cut(value), sha256(value)]) : cut(value);
}

const isLong = (value: FilterValue) => typeof value === 'string' && Buffer.byteLength(value) > MAX_BYTES;

/** What an entry begins with. */
function cut(value: FilterValue): Buffer {
  if (typeof value !== 'string') return toEntry(value);
  return Buffer.concat([typeOf(value), Buffer.from(value).subarray(0, MAX_BYTES)]);
}

/** Of tiny numbers as of 0: that is how the database sees them. */
function orderedBytes(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(Math.abs(value) < 1e-300 ? 0 : value);
  if (value < 0 && Math.abs(value) >= 1e-300) for (const [i, byte] of bytes.entries()) bytes[i] = ~byte;
  else bytes[0] = (bytes[0] as number) ^ 0x80;
  return bytes;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest().subarray(0, HASH_BYTES);
