import { z } from 'zod';

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
  const fields: Record<string, unknown> = {};
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
  const { type, innerType, in: input } = schema._zod.def as {
    type: string;
    innerType?: z.core.$ZodType;
    in?: z.core.$ZodType;
  };
  if (innerType && ['optional', 'nullable', 'default'].includes(type)) return bare(innerType);
  return type === 'pipe' && input ? bare(input) : schema;
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
