import { z } from 'zod';
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
export function textReader(schema: z.ZodObject | undefined): (raw: object) => Record<string, unknown> {
  const kinds = Object.entries(schema?.shape ?? {}).map(
    ([name, field]) => [name, bare(field as z.core.$ZodType)._zod.def.type] as const,
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
    const name = /^(.+)\[\d*\]$/.exec(key)?.[1];
    if (name === undefined || !arrays.has(name)) {
      fields[key] = arrays.has(key) && fields[key] !== undefined ? [fields[key], value].flat() : value;
    } else {
      fields[name] = [fields[name] ?? [], value].flat();
    }
  }
  return fields;
}

function bare(schema: z.core.$ZodType): z.core.$ZodType {
  const {
    type,
    innerType,
    in: input,
  } = schema._zod.def as {
    type: string;
    innerType?: z.core.$ZodType;
    in?: z.core.$ZodType;
  };
  if (innerType && ['optional', 'nullable', 'default'].includes(type)) return bare(innerType);
  return type === 'pipe' && input ? bare(input) : schema;
}

/** @throws when a query string holds what is no percent-encoded UTF-8, and would be read as other text than meant */
export function requireDecodable(url: string): void {
  try {
    decodeURIComponent(/\?.*/s.exec(url)?.[0] ?? '');
  } catch {
    throw requestError('query.undecodable', 'The query is not percent-encoded UTF-8.', ['query']);
  }
}

/** More than any list may hold. Zod looks at every item of a longer one, and tells of each. */
const MAX_ITEMS = 10_000;

/** @throws when a list in a body is beyond all limits */
export function requireShortLists(body: unknown, schema: z.ZodObject | undefined): void {
  for (const name of Object.keys(schema?.shape ?? {})) {
    const value = (body as Record<string, unknown> | null | undefined)?.[name];
    if (!Array.isArray(value) || value.length <= MAX_ITEMS) continue;
    throw requestError('list.too.long', `must hold at most ${MAX_ITEMS} items`, ['body', name]);
  }
}

const list = z.array(z.string());

function parseJsonArray(value: string, context: z.core.$RefinementCtx): string[] {
  try {
    return list.parse(JSON.parse(value));
  } catch {
    context.addIssue({ code: 'custom', message: 'must be a JSON array of strings' });
    return [];
  }
}

/** Text holding a JSON array of strings. */
export const jsonArrayText = () => z.string().transform(parseJsonArray).pipe(z.array(z.string()));

/** Text holding a comma-separated list, or a JSON array of strings. Empty text counts as absent. */
export const listText = () =>
  z.string().transform((value, context) => (value.trim() === '' ? undefined : parseList(value, context)));

/** Repeated text, each possibly a comma-separated list or a JSON array of strings. */
export const listArray = () =>
  z
    .array(z.string())
    .transform((values, context) => values.flatMap((value) => parseList(value, context)))
    .pipe(z.array(z.string()));

function parseList(value: string, context: z.core.$RefinementCtx): string[] {
  if (value.trim().startsWith('[')) return parseJsonArray(value, context);
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Text holding a JSON object. */
export const jsonObjectText = <T extends z.ZodType>(object: T) =>
  z
    .string()
    .transform((value, context) => {
      try {
        return JSON.parse(value);
      } catch {
        context.addIssue({ code: 'custom', message: 'must be a JSON object' });
        return z.NEVER;
      }
    })
    .pipe(object);
