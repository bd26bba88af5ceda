import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { createServerEngine } from '../../src/ingestion/extraction/create-engine.js';
import { type EngineAnswer, type EngineRequest, json, startEngineServer } from '../support/engine-server.js';
import { extractionLimits, useExtractionFiles } from '../support/extraction-files.js';
import { readForm } from '../support/read-form.js';

/*
 * What docling-serve is asked, against its own OpenAPI document, which a running one has at /openapi.json. Answers are made
 * of what their schemas require.
 */

const path = process.env.DOCLING_OPENAPI;
if (!path)
  console.warn(
    'SKIPPED: what docling-serve is asked, since DOCLING_OPENAPI names no OpenAPI document of it.',
  );

type Schema = Record<string, any>;
const ID = '1c5e1c1a-4f3e-4d0e-9a55-0f7bb6a3a001';
const file = useExtractionFiles();

test.skipIf(!path)('docling-serve is asked what its OpenAPI document has', async () => {
  const api = JSON.parse(readFileSync(path as string, 'utf8')) as Schema;
  console.info(`docling-serve ${api.info.version}`);
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(api, 'api');
  const assertFits = (value: unknown, schema: Schema) => {
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')));
    expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
  };
  const find = (schema: Schema): Schema =>
    schema.$ref
      ? find(
          schema.$ref
            .slice(2)
            .split('/')
            .reduce((part: Schema, key: string) => part[key], api),
        )
      : schema;

  const asked: string[] = [];
  const server = await startEngineServer(async (request) => {
    const [template, operation] = findOperation(api, request);
    asked.push(`${request.method} ${template}`);
    if (operation.requestBody) await assertForm(request, operation);
    if (template.startsWith('/v1/status') && request.path.includes('0000-0000')) return { status: 404 };
    if (template === '/version') return json({ 'docling-serve': api.info.version });
    const schema = operation.responses['200'].content['application/json'].schema;
    return answerOf(schema, template);
  });

  async function assertForm(request: EngineRequest, { requestBody }: Schema) {
    const schema = find(requestBody.content['multipart/form-data'].schema);
    const { fields, files } = await readForm(request);
    const body: Record<string, unknown> = {};
    for (const [name, values] of Object.entries(fields)) {
      expect(Object.keys(schema.properties)).toContain(name);
      body[name] = typed(find(schema.properties[name]), values);
    }
    for (const { field } of files) body[field] = files.map(({ text }) => text);
    assertFits(body, schema);
  }

  /** A field as its schema has it: forms have texts alone. */
  function typed(schema: Schema, values: string[]): unknown {
    const types = [schema, ...(schema.anyOf ?? []).map(find)].map(({ type }) => type);
    if (types.includes('array')) return values;
    expect(values).toHaveLength(1);
    const [value = ''] = values;
    return types.includes('boolean') || types.includes('number') ? JSON.parse(value) : value;
  }

  function answerOf(schema: Schema, template: string): EngineAnswer {
    const given = minimal(schema) as Record<string, any>;
    if ('task_id' in given) given.task_id = ID;
    if ('task_status' in given) given.task_status = template.startsWith('/v1/status') ? 'success' : 'pending';
    if (template.startsWith('/v1/result')) {
      given.status = 'success';
      given.document.md_content = '# Read';
    }
    if (template === '/health') given.status = 'ok';
    assertFits(given, schema);
    return json(given);
  }

  /** The least that a schema allows. */
  function minimal(given: Schema): unknown {
    const schema = find(given);
    if (schema.anyOf) return minimal(schema.anyOf[0]);
    if (schema.enum) return schema.enum[0];
    if (schema.type === 'object')
      return Object.fromEntries(
        (schema.required ?? []).map((name: string) => [name, minimal(schema.properties[name])]),
      );
    return ({ array: [], number: 1, integer: 1, boolean: true } as Schema)[schema.type] ?? 'text';
  }

  const engine = createServerEngine({
    ...extractionLimits,
    api: 'docling',
    url: server.url,
    apiKey: 'secret',
    languages: ['en', 'zh-Hans'],
  });
  expect(await engine.check(AbortSignal.timeout(60_000))).toBe(`docling-serve ${api.info.version}`);
  const scan = file('scan.pdf', 'application/pdf', '%PDF');
  expect(await engine.extract(scan, AbortSignal.timeout(60_000))).toEqual({
    mediaType: 'text/markdown',
    pages: ['# Read'],
  });
  expect(asked).toEqual([
    'GET /health',
    'GET /v1/status/poll/{task_id}',
    'GET /version',
    'POST /v1/convert/file/async',
    'GET /v1/status/poll/{task_id}',
    'GET /v1/result/{task_id}',
  ]);
  await server.close();
});

/** What the document says of a request; fails without. */
function findOperation(api: Schema, { method, path, headers }: EngineRequest): [template: string, Schema] {
  const template = Object.keys(api.paths).find((one) =>
    new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  const operation = template === undefined ? undefined : api.paths[template][method.toLowerCase()];
  if (template === undefined || !operation) throw new Error(`The document has no ${method} ${path}.`);
  // The name of the header is in the document, too.
  for (const name of Object.keys(operation.security?.[0] ?? {})) {
    const scheme = api.components.securitySchemes[name];
    expect(headers[scheme.name.toLowerCase()]).toBe('secret');
  }
  return [template, operation];
}
