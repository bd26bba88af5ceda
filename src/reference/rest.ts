import { readConfig } from '../config/config.js';
import { createOpenApiDocument, restRouter } from '../rest-facade/index.js';
import { boundsOf, type Field, fieldsOf, type JsonSchema, nameOf, typeOf } from './json-schema.js';
import { code, formatPage, section, table, wrap } from './markdown.js';

const INTRODUCTION =
  'The REST API has these endpoints. [`openapi.json`](../../../openapi.json) is the complete description for programs, and a running server shows it at `/docs`, where you can try requests. [Schemas](#schemas) lists the fields of each schema once.';
const COMMON =
  'A key goes into `X-Api-Key`, or into `Authorization` as a bearer token. All endpoints answer errors in [one form](errors.md), and ignore undeclared fields.';

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: JsonSchema;
}
type Content = Record<string, { schema?: JsonSchema }>;
interface Operation {
  tags?: string[];
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}
interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
}

/** The page about every endpoint, from the OpenAPI document. */
export function restPage(): string {
  const { maxPageSize } = readConfig({});
  const document = createOpenApiDocument(restRouter, { maxPageSize }) as unknown as OpenApi;
  const endpoints = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );
  const tags = [...new Set(endpoints.map(({ operation }) => operation.tags?.[0] ?? ''))].sort();
  const operations = endpoints.map(({ operation }) => operation);
  return formatPage({
    title: 'REST endpoints',
    introduction: INTRODUCTION,
    sections: [
      wrap(COMMON),
      table(
        ['Endpoint', 'What it does'],
        endpoints.map(({ path, method, operation }) => [
          `[${code(`${method} ${path}`)}](#${anchorOf(operation.summary)})`,
          operation.summary,
        ]),
      ),
      section('## Headers', table(['Header', 'Limits', 'Meaning'], headersOf(operations))),
      section('## Statuses', table(['Status', 'Meaning'], statusesOf(operations))),
      ...tags.map((tag) =>
        section(
          `## ${tag}`,
          ...endpoints.filter(({ operation }) => operation.tags?.[0] === tag).map(describe),
        ),
      ),
      section(
        '## Schemas',
        ...Object.entries(document.components.schemas).map(([name, schema]) =>
          section(`### ${name}`, describeSchema(schema)),
        ),
      ),
    ],
  });
}

function describe({
  path,
  method,
  operation,
}: {
  path: string;
  method: string;
  operation: Operation;
}): string {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const headers = parameters.filter((one) => !isOwn(one));
  const [bodyType, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const codes = Object.keys(responses);
  const success = codes.find((status) => status.startsWith('2')) ?? '';
  const answer = responses[success]?.content?.['application/json']?.schema;
  return section(
    `### ${summary}`,
    code(`${method} ${path}`),
    description ? wrap(description) : '',
    table(
      ['Parameter', 'In', 'Type', 'Limits', 'Meaning'],
      parameters
        .filter(isOwn)
        .map((one) => [
          `${code(one.name)}${one.required ? ', required' : ''}`,
          one.in,
          code(typeOf(one.schema)),
          limitsOf(one.schema),
          one.description ?? '',
        ]),
    ),
    headers.length > 0 && `Headers: ${headers.map(({ name }) => code(name)).join(', ')}.`,
    bodyType !== undefined &&
      `Body: ${linked(body?.schema ?? {})}, as ${code(bodyType)}${requestBody?.required ? '' : ', optional'}.`,
    `Answers ${code(success)}${answer ? ` with ${linked(answer)}` : ''}; errors ${codes
      .filter((status) => status !== success)
      .map(code)
      .join(', ')}.`,
  );
}

const isOwn = (parameter: Parameter) => parameter.in !== 'header';

/** Each header once; the endpoints name those that they take. */
const headersOf = (operations: Operation[]): string[][] => {
  const headers = operations.flatMap(({ parameters = [] }) => parameters.filter((one) => !isOwn(one)));
  return [...new Map(headers.map((one) => [one.name, one])).values()].map(
    ({ name, schema, description = '' }) => [code(name), boundsOf(schema), description],
  );
};

const statusesOf = (operations: Operation[]): string[][] => {
  const meanings = new Map(
    operations.flatMap(({ responses }) =>
      Object.entries(responses).map(([status, { description }]) => [status, description] as const),
    ),
  );
  return [...meanings]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([status, meaning]) => [code(status), meaning]);
};

/** With links to the schemas that it names. */
function linked(schema: JsonSchema): string {
  if (schema.$ref) return `[${code(nameOf(schema.$ref))}](#${nameOf(schema.$ref).toLowerCase()})`;
  if (schema.items?.$ref) return `a list of ${linked(schema.items)}`;
  return code(typeOf(schema));
}

function describeSchema(schema: JsonSchema): string {
  const rows = fieldsOf(schema).map(({ name, schema: field, isRequired }: Field) => [
    `${code(name)}${isRequired ? ', required' : ''}`,
    code(typeOf(field)),
    limitsOf(field),
    field.description ?? '',
  ]);
  return (
    table(['Field', 'Type', 'Limits', 'Meaning'], rows) ||
    (schema.properties ? 'No fields.' : code(typeOf(schema)))
  );
}

const limitsOf = (schema: JsonSchema): string =>
  [boundsOf(schema), schema.default === undefined ? '' : `default ${code(JSON.stringify(schema.default))}`]
    .filter(Boolean)
    .join('; ');

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
