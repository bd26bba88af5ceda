import { z } from 'zod';
import type { Random } from '../support/random.js';
import { hostileValue } from './hostile-values.js';

type JsonSchema = Record<string, unknown> & {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
};

/** Things that exist, by the name of the field that takes them. */
export type KnownValues = Record<string, readonly unknown[]>;

export interface SampleOptions {
  random: Random;
  known: KnownValues;
  /** How many of a hundred values are hostile in place of what the schema asks for. */
  hostility: number;
}

/** Makes a function that gives inputs for a schema: most of them well-formed, some of their values hostile. */
export function createSampler(schema: z.ZodType): (options: SampleOptions) => unknown {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return (options) => sample(json, '', options);
}

function sample(schema: JsonSchema, name: string, options: SampleOptions): unknown {
  const { random, known, hostility } = options;
  if (random.below(100) < hostility) return hostileValue(random);
  const values = known[name];
  if (values && values.length > 0 && random.below(10) > 0) return random.oneOf(values);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.oneOf(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices) return sample(random.oneOf(choices), name, options);
  return byType(schema, name, options);
}

function byType(schema: JsonSchema, name: string, options: SampleOptions): unknown {
  const { random } = options;
  switch (schema.type) {
    case 'object':
      return sampleObject(schema, options);
    case 'array':
      return Array.from({ length: random.below(4) }, () =>
        sample(schema.items ?? {}, singular(name), options),
      );
    case 'integer':
      return random.between(1, 20);
    case 'number':
      return random.next();
    case 'boolean':
      return random.below(2) === 0;
    case 'null':
      return null;
    case 'string':
      return random.word();
    default:
      // What JSON Schema cannot say: a list, an object or text, by chance.
      return random.oneOf([[random.word()], { a: random.word() }, random.word()]);
  }
}

function sampleObject({ properties = {}, required = [] }: JsonSchema, options: SampleOptions) {
  const { random, hostility } = options;
  const fields = Object.entries(properties).filter(
    ([name]) => (required.includes(name) && random.below(100) >= hostility) || random.below(3) === 0,
  );
  return Object.fromEntries(fields.map(([name, schema]) => [name, sample(schema, name, options)]));
}

const singular = (name: string) => name.replace(/s$/, '');
