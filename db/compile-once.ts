import type { Compilable, CompiledQuery } from 'kysely';
import type { Database } from './schema.js';
import { nameStatement } from './statement-names.js';

type Input = object & { scope?: object };
type Fields = Record<string, unknown>;

/** Stands for a value of the input in a compiled statement. */
class Placeholder {
  constructor(readonly read: (input: Input) => unknown) {}
}

/**
 * A statement that is built and compiled once for each set of fields that an input has, then executed with its values
 * and prepared in each connection. For statements whose plan does not depend on the values: those that find rows by key.
 *
 * @param build makes the query. It gets placeholders for the fields of the input and of its `scope`, of which it may
 *   only see whether they are undefined
 * @returns a function that executes the statement and returns its rows
 */
export function compileOnce<I extends object, R>(db: Database, build: (input: I) => Compilable<R>) {
  const compiled = new Map<string, CompiledQuery<R>>();

  return async (input: I): Promise<R[]> => {
    const shape = shapeOf(input);
    let query = compiled.get(shape);
    if (!query) {
      query = build(withPlaceholders(input)).compile();
      nameStatement(query.sql);
      compiled.set(shape, query);
    }
    const parameters = query.parameters.map((parameter) => resolve(parameter, input));
    return (await db.executeQuery<R>({ ...query, parameters })).rows;
  };
}

/** The names of the fields that are set. */
function shapeOf({ scope = {}, ...fields }: Input): string {
  let shape = '';
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) shape += `${name},`;
  for (const [name, value] of Object.entries(scope)) if (value !== undefined) shape += `scope.${name},`;
  return shape;
}

function withPlaceholders<I extends object>(input: I): I {
  const { scope, ...fields }: Input = input;
  const replace = (from: object, valuesOf: (input: Input) => object | undefined) =>
    Object.fromEntries(
      Object.entries(from)
        .filter(([, value]) => value !== undefined)
        .map(([name]) => [name, new Placeholder((input) => (valuesOf(input) as Fields)[name])]),
    );
  const replaced = replace(fields, (input) => input);
  return { ...replaced, ...(scope && { scope: replace(scope, (input) => input.scope) }) } as I;
}

/** A placeholder in a list stands for one value or several. */
function resolve(parameter: unknown, input: Input): unknown {
  if (parameter instanceof Placeholder) return parameter.read(input);
  return Array.isArray(parameter) ? parameter.flatMap((item) => resolve(item, input)) : parameter;
}
