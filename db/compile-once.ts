import type { CompiledQuery } from 'kysely';
import type { Queryable } from './schema.js';
import { nameStatement } from './statement-names.js';

type Fields = Record<string, unknown>;

/** Stands for a value of the input in a compiled statement. */
class Placeholder {
  constructor(readonly read: (input: object) => unknown) {}
}

/**
 * A statement that is built and compiled once for each set of fields that an input has, then executed with its values.
 *
 * @param build makes and compiles the query, for the database or transaction that is the first to execute it. It gets
 *   placeholders for the values of the input and of the objects in it, of which it may only see whether they are undefined
 * @param options.isPrepared whether each connection prepares it, default true: for statements whose plan does not depend
 *   on the values, such as those that find rows by key
 * @returns a function that executes the statement, and returns its rows
 */
export function compileOnce<I extends object, R>(
  build: (input: I, db: Queryable) => CompiledQuery<R>,
  { isPrepared = true } = {},
) {
  const compiled = new Map<string, CompiledQuery<R>>();

  return async (input: I, db: Queryable): Promise<R[]> => {
    const shape = shapeOf(input);
    let query = compiled.get(shape);
    if (!query) {
      query = build(
        withPlaceholders(input, (all) => all),
        db,
      );
      if (isPrepared) nameStatement(query.sql);
      compiled.set(shape, query);
    }
    const parameters = query.parameters.map((parameter) => resolve(parameter, input));
    return (await db.executeQuery<R>({ ...query, parameters })).rows;
  };
}

/** The names of the fields that are set. */
function shapeOf(input: object): string {
  let shape = '';
  for (const [name, value] of Object.entries(input)) {
    if (isObject(value)) shape += `${name}(${shapeOf(value)})`;
    else if (value !== undefined) shape += `${name},`;
  }
  return shape;
}

/** @param find reads, from an input, the object that is replaced */
function withPlaceholders<T extends object>(object: T, find: (input: object) => object): T {
  const replaced: Fields = {};
  for (const [name, value] of Object.entries(object)) {
    const read = (input: object) => (find(input) as Fields)[name];
    if (isObject(value)) replaced[name] = withPlaceholders(value, read as (input: object) => object);
    else if (value !== undefined) replaced[name] = new Placeholder(read);
  }
  return replaced as T;
}

/** An object with fields; arrays and the like are values. */
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** A placeholder in a list stands for one value or several. */
function resolve(parameter: unknown, input: object): unknown {
  if (parameter instanceof Placeholder) return parameter.read(input);
  return Array.isArray(parameter) ? parameter.flatMap((item) => resolve(item, input)) : parameter;
}
