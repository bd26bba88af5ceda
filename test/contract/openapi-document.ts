/** Reading the published OpenAPI document. */
import type { EndpointCase } from './endpoints.js';

export type Json = any;

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  required?: boolean;
  description?: string;
  schema: Json;
}

export const operationOf = (document: Json, { path, method }: Pick<EndpointCase, 'path' | 'method'>): Json =>
  document.paths[path][method.toLowerCase()];

export const parametersOf = (operation: Json, place: Parameter['in']): Parameter[] =>
  (operation.parameters ?? []).filter((parameter: Parameter) => parameter.in === place);

/** A schema without its reference. */
export function resolve(document: Json, schema: Json): Json {
  const name = schema.$ref?.split('/').at(-1);
  return name ? document.components.schemas[name] : schema;
}

/** The schema of a request's body; undefined where there is none. */
export function bodySchemaOf(document: Json, operation: Json): Json {
  const [content] = Object.values<Json>(operation.requestBody?.content ?? {});
  return content && resolve(document, content.schema);
}

/** Every object inside a JSON value, the value itself included. */
export function* objectsIn(value: Json): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  yield value;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}
