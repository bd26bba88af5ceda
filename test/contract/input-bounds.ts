import { z } from 'zod';
import { listEndpoints } from '../../src/rest-facade/find-endpoints.js';
import { restRouter } from '../../src/rest-facade/index.js';
import { appRouter } from '../../src/routers/index.js';
import type { Json } from './openapi-document.js';

/** A place in an input that takes a text, number, list or object, and the most that it takes there. */
export interface Bound {
  path: (string | number)[];
  kind: 'string' | 'number' | 'array' | 'object';
  /** Undefined where there is none. */
  max: number | undefined;
  /** What else the object at this step of the path has, so that it is this variant of a union. */
  variant?: { step: number; constants: Json };
}

/** Every input of every operation, with its name. */
export const inputs: [name: string, schema: z.ZodType][] = [
  ...Object.entries(appRouter._def.procedures as unknown as Record<string, { _def: { inputs: unknown[] } }>)
    .flatMap(([name, { _def }]) => _def.inputs.map((input): [string, unknown] => [`tRPC ${name}`, input]))
    .filter((one): one is [string, z.ZodType] => one[1] instanceof z.ZodType),
  ...listEndpoints(restRouter).flatMap(({ name, parts, meta }) =>
    Object.entries({ ...parts, headers: meta.requestHeaders as z.ZodObject | undefined }).flatMap(
      ([part, schema]): [string, z.ZodType][] => (schema ? [[`REST ${name} ${part}`, schema]] : []),
    ),
  ),
];

/** The bounds of all that an input takes, as its JSON Schema tells them. */
export function boundsOf(schema: z.ZodType): Bound[] {
  const root: Json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return [...walk(root, [])];

  function* walk(json: Json, path: Bound['path']): Generator<Bound> {
    // Refers to itself. Its bounds are tested in search-filters.test.ts.
    if (json.$ref === '#/$defs/Filter' || json.not) return;
    if (json.$ref) return yield* walk(root.$defs[json.$ref.split('/').at(-1)], path);
    const variants = json.anyOf ?? json.oneOf;
    if (variants) {
      for (const one of variants) yield* walk(one, path);
    } else if (json.enum || 'const' in json || json.type === 'boolean' || json.type === 'null') {
      return;
    } else if (json.type === 'string') {
      // The pattern of a UUID leaves no choice of length.
      if (json.format !== 'uuid') yield { path, kind: 'string', max: json.maxLength };
    } else if (json.type === 'integer' || json.type === 'number') {
      yield { path, kind: 'number', max: json.minimum === undefined ? undefined : json.maximum };
    } else if (json.type === 'array') {
      yield { path, kind: 'array', max: json.maxItems };
      yield* walk(json.items, [...path, 0]);
    } else {
      if (!json.properties || json.additionalProperties) {
        yield { path, kind: 'object', max: json.maxProperties };
      }
      const fields: [string, Json][] = Object.entries(json.properties ?? {});
      const constants = Object.fromEntries(
        fields.flatMap(([name, inner]) => ('const' in inner ? [[name, inner.const]] : [])),
      );
      const variant = Object.keys(constants).length > 0 && { step: path.length, constants };
      for (const [name, inner] of fields)
        for (const bound of walk(inner, [...path, name])) yield variant ? { variant, ...bound } : bound;
    }
  }
}

/** A value just beyond a bound, in its place. */
export function valueBeyond({ path, kind, max = 0, variant }: Bound): unknown {
  const value = {
    string: () => 'x'.repeat(max + 1),
    number: () => max + 1,
    array: () => Array(max + 1).fill(0),
    object: () => Object.fromEntries(Array.from({ length: max + 1 }, (_, place) => [`k${place}`, 0])),
  }[kind]();
  return path.reduceRight<unknown>(
    (inner, step, place) =>
      typeof step === 'number'
        ? [inner]
        : { ...(place === variant?.step && variant.constants), [step]: inner },
    value,
  );
}

/** Everything that zod says is wrong with a value, also in the variants of a union. */
export function issuesOf(schema: z.ZodType, value: unknown): z.core.$ZodIssue[] {
  const { error } = schema.safeParse(value);
  return error?.issues.flatMap(flatten) ?? [];
}

const flatten = (issue: z.core.$ZodIssue): z.core.$ZodIssue[] =>
  issue.code === 'invalid_union'
    ? issue.errors.flat().flatMap((inner) => flatten({ ...inner, path: [...issue.path, ...inner.path] }))
    : [issue];
