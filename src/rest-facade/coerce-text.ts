import type { z } from 'zod';
import { requestError } from './request-errors.js';

type Reader = (value: unknown) => unknown;

/** Coercions of text, by schema type. */
const READERS: Record<string, Reader> = {
  number: (value) => (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value),
  boolean: (value) => (value === 'true' ? true : value === 'false' ? false : value),
  array: (value) => (Array.isArray(value) ? value : [value]),
};

/**
 * Creates a function that coerces query parameters or form fields by schema: numbers, booleans, and repeated
 * fields (also `name[]`, `name[0]`) as arrays. Invalid values are left to zod.
 */
export function createTextCoercion(
  schema: z.ZodObject | undefined,
): (raw: object) => Record<string, unknown> {
  const kinds = Object.entries(schema?.shape ?? {}).map(
    ([name, field]) => [name, unwrapSchema(field as z.core.$ZodType)._zod.def.type] as const,
  );
  const arrays = new Set(kinds.filter(([, kind]) => kind === 'array').map(([name]) => name));
  return (raw) => {
    const fields = joinArrays(raw, arrays);
    for (const [name, kind] of kinds) {
      const read = READERS[kind];
      if (read && fields[name] !== undefined) fields[name] = read(fields[name]);
    }
    return fields;
  };
}

function joinArrays(raw: object, arrays: Set<string>): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.create(null);
  for (const [key, value] of Object.entries(raw)) {
    const indexed = /^(.+)\[\d*\]$/.exec(key)?.[1];
    const name = indexed !== undefined && arrays.has(indexed) ? indexed : key;
    if (name === key && !(arrays.has(key) && fields[key] !== undefined)) fields[key] = value;
    else fields[name] = addTo(fields[name], value);
  }
  return fields;
}

/** Appends in place; copying per value would be quadratic. */
function addTo(list: unknown, value: unknown): unknown[] {
  const values = Array.isArray(list) ? list : list === undefined ? [] : [list];
  for (const one of [value].flat()) values.push(one);
  return values;
}

function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodType {
  const { type, innerType, in: from, out } = schema._zod.def as Wrapper;
  if (innerType && ['optional', 'nullable', 'default'].includes(type)) return unwrapSchema(innerType);
  if (type !== 'pipe' || !from || !out) return schema;
  // A preprocess step has the type of the schema it wraps.
  return unwrapSchema(from._zod.def.type === 'transform' ? out : from);
}

interface Wrapper {
  type: string;
  innerType?: z.core.$ZodType;
  in?: z.core.$ZodType;
  out?: z.core.$ZodType;
}

/** Express silently drops further parameters. */
const MAX_PARAMETERS = 1_000;

/** @throws if a query has too many parameters or is no percent-encoded UTF-8 */
export function assertReadableQuery(url: string): void {
  const query = /\?.*/s.exec(url)?.[0] ?? '';
  if (query.split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS) {
    throw requestError('query.too.long', `must hold at most ${MAX_PARAMETERS} parameters`, ['query']);
  }
  try {
    decodeURIComponent(query);
  } catch {
    throw requestError('query.undecodable', 'The query is not percent-encoded UTF-8.', ['query']);
  }
}
