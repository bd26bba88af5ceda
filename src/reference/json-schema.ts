/** What the reference says of a JSON Schema. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  not?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  format?: string;
  default?: unknown;
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

/** Of the name in a reference. */
export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

const alternativesOf = ({ anyOf, oneOf }: JsonSchema): JsonSchema[] | undefined => anyOf ?? oneOf;

/** The type as TypeScript writes it. */
export function typeOf(schema: JsonSchema): string {
  const { $ref, type, enum: values, items, properties } = schema;
  const alternatives = alternativesOf(schema);
  if ($ref !== undefined) return nameOf($ref);
  if (schema.not) return 'never';
  if (schema.const !== undefined) return literal(schema.const);
  if (values) return values.map(literal).join(' | ');
  if (alternatives) return [...new Set(alternatives.map(typeOf))].join(' | ');
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(' | ');
  if (type === 'array') return arrayOf(typeOf(items ?? {}));
  if (properties) return objectOf(schema);
  if (type === 'string' && schema.format === 'date-time') return 'time';
  return type ?? 'any';
}

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));

const arrayOf = (item: string) => (/[| ]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`);

function objectOf({ properties = {}, required = [] }: JsonSchema): string {
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(field)}`,
  );
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

/** The limits as words; none where there are none. */
export function boundsOf(schema: JsonSchema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, items } = schema;
  const parts = [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    items && !items.properties && prefixed('each ', boundsOf(items)),
    ...(alternativesOf(schema) ?? []).map(boundsOf),
  ];
  return [...new Set(parts.filter(Boolean))].join('; ');
}

const prefixed = (prefix: string, text: string) => text && prefix + text;

function range(from: number | undefined, to: number | undefined, unit: string): string | undefined {
  const least =
    from !== undefined && Math.abs(from) < Number.MAX_SAFE_INTEGER && from !== 0 ? from : undefined;
  const most = to !== undefined && to < Number.MAX_SAFE_INTEGER ? to : undefined;
  if (most === undefined) {
    const start = from === 0 ? 0 : least;
    return start === undefined ? undefined : `at least ${count(start)}${unit}`;
  }
  if (from === undefined || (from === 0 && unit !== '')) return `at most ${count(most)}${unit}`;
  return from === most ? `${count(most)}${unit}` : `${count(from)} to ${count(most)}${unit}`;
}

const count = (value: number) => value.toLocaleString('en');

export interface Field {
  name: string;
  schema: JsonSchema;
  isRequired: boolean;
}

/** The fields of an object, and of objects in it, whose names begin with those of the outer ones. */
export function fieldsOf({ properties = {}, required = [] }: JsonSchema, prefix = ''): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`;
    const inner = schema.properties ? schema : schema.items?.properties && schema.items;
    const nested = inner ? fieldsOf(inner, `${path}${schema.items ? '[]' : ''}.`) : [];
    const own = inner
      ? { ...schema, properties: undefined, items: undefined, type: schema.items ? 'object[]' : 'object' }
      : schema;
    return [{ name: path, schema: own as JsonSchema, isRequired: required.includes(name) }, ...nested];
  });
}
