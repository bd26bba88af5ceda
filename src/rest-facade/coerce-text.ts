import type { z } from 'zod';
import { requestError } from './errors.js';

type Reader = (value: unknown) => unknown;

/** How values that arrive as text are read, by the kind of schema they are for. */
const READERS: Record<string, Reader> = {
  number: (value) => (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value),
  boolean: (value) => (value === 'true' ? true : value === 'false' ? false : value),
  array: (value) => (Array.isArray(value) ? value : [value]),
};

/**
 * Makes a reader of query parameters or form fields, which are all text, for a schema: numbers, booleans, and
 * repeated fields (also as `name[]` and `name[0]`) as arrays. What does not fit is left for zod to refuse.
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

/** The list grows in place: copied for each value, a thousand of them would be half a million. */
function addTo(list: unknown, value: unknown): unknown[] {
  const values = Array.isArray(list) ? list : list === undefined ? [] : [list];
  for (const one of [value].flat()) values.push(one);
  return values;
}

function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodType {
  const { type, innerType, in: from, out } = schema._zod.def as Wrapper;
  if (innerType && ['optional', 'nullable', 'default'].includes(type)) return unwrapSchema(innerType);
  if (type !== 'pipe' || !from || !out) return schema;
  // What comes before a schema takes what the schema does.
  return unwrapSchema(from._zod.def.type === 'transform' ? out : from);
}

interface Wrapper {
  type: string;
  innerType?: z.core.$ZodType;
  in?: z.core.$ZodType;
  out?: z.core.$ZodType;
}

/** Express reads no more of a query, and would leave the rest out without a word. */
const MAX_PARAMETERS = 1_000;

/** @throws when a query string holds too much, or what is no percent-encoded UTF-8 and would be read as other text */
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
