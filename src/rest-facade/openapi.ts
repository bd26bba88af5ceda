import type { AnyRouter } from '@trpc/server';
import { generateOpenApiDocument, type OpenAPIObject } from 'trpc-to-openapi';
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { errorBody } from '../errors/error-body.js';
import { type Endpoint, listEndpoints } from './find-endpoints.js';

const JSON_TYPE = 'application/json';

const DESCRIPTIONS: Record<number, string> = {
  401: 'The API key is missing or not valid',
  403: 'The API key lacks the permission, or has no access to what the request names',
  404: 'No such record in the given scope',
  409: 'The id is taken, a quota is reached, or a request with the same `Idempotency-Key` is still running',
  412: 'The record has changed since the version in `If-Match`',
  413: 'The body is larger than allowed',
  415: 'The media type is not supported',
  422: 'Validation error',
  431: 'The address and the headers are longer than 16 KiB together, or there are more than 100 headers',
  429: 'Too many requests; try again after `Retry-After` seconds',
  503: 'A part of the service is unavailable; try again after `Retry-After` seconds',
};

const requestId = z.object({ 'X-Request-Id': z.string().describe('The name of this request in the logs') });
const writeHeaders = z.object({
  'X-User-Id': z.string().max(255).optional().describe('The user on whose behalf the request is made'),
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .regex(/^[ -~]+$/)
    .optional()
    .describe(
      'Identifies this request, so that you can send it again: within 24 hours, the same request gets the ' +
        'first answer, and nothing is done twice',
    ),
});
/** Document-level security: either header, or none in open mode. */
const security: Record<string, string[]>[] = [{ apiKey: [] }, { bearer: [] }, {}];

/**
 * The OpenAPI 3.1 document of a facade router, generated from its schemas.
 *
 * @param options.maxPageSize what the server is configured for
 */
export function createOpenApiDocument(
  router: AnyRouter,
  { maxPageSize }: { maxPageSize: number },
): OpenAPIObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const endpoint of listEndpoints(router)) {
    const { path, method } = endpoint.meta;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(endpoint) };
  }
  const document = generateOpenApiDocument(router as never, {
    title: 'Administration API: Conversations and Knowledge Documents',
    description:
      'Conversations between users and agents with their messages, and knowledge documents with their text chunks. ' +
      'Every operation is scoped by a tenant and a tenant unit.',
    version: '1.0.0',
    baseUrl: '/',
    filter: () => false,
    paths,
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      bearer: { type: 'http', scheme: 'bearer' },
    },
  });
  return withConfigured({ ...document, security }, maxPageSize);
}

/** Inserts the configured maximum into marked schemas. */
function withConfigured<T>(document: T, maxPageSize: number): T {
  return JSON.parse(JSON.stringify(document), (_key, value) => {
    if (value?.['x-limit'] !== 'MAX_PAGE_SIZE') return value;
    const { 'x-limit': _, ...schema } = value;
    return { ...schema, [schema.type === 'array' ? 'maxItems' : 'maximum']: maxPageSize };
  });
}

function describeOperation({ name, meta, parts, output }: Endpoint): ZodOpenApiOperationObject {
  const { path, query, body } = parts;
  const isWrite = meta.method !== 'GET' && !meta.readOnly;
  const header = (meta.requestHeaders ?? z.object({})).extend(isWrite ? writeHeaders.shape : {});
  const [contentType = JSON_TYPE] = meta.contentTypes ?? [];
  const { status = 200, example } = meta;
  return {
    operationId: name.replace('.', '_'),
    tags: meta.tags ?? [],
    summary: meta.summary ?? '',
    ...(meta.description !== undefined && { description: meta.description }),
    requestParams: {
      ...(path && { path: withExamples(path, example.path) }),
      ...(query && !meta.undocumentedQuery && { query: withExamples(query, example.query) }),
      header,
    },
    ...(body && {
      requestBody: {
        required: !meta.optionalBody,
        content: { [contentType]: { schema: body, ...(example.body && { example: example.body }) } },
      },
    }),
    responses: {
      [String(status) as '200']: {
        description: DESCRIPTIONS[status] ?? 'Success',
        headers: requestId.extend(meta.responseHeaders?.shape ?? {}),
        ...(status !== 204 && {
          content: { [JSON_TYPE]: { schema: output, example: example.response } },
        }),
      },
      ...Object.fromEntries(
        errorStatuses(meta, body !== undefined).map((code) => [String(code), describeError(code)]),
      ),
    },
  };
}

function errorStatuses(rest: Endpoint['meta'], hasBody: boolean): number[] {
  const ofWrites = rest.method === 'GET' || rest.readOnly ? [] : [409];
  const ofBodies = hasBody ? [413, 415] : [];
  const found = new Set([401, 403, ...(rest.errors ?? []), ...ofWrites, ...ofBodies, 422, 429, 431, 503]);
  return [...found].sort((a, b) => a - b);
}

const retryAfter = z.object({ 'Retry-After': z.string().describe('Seconds') });
/** The limits by their names, as the IETF draft on RateLimit header fields writes them. */
const rateLimits = z.object({
  RateLimit: z
    .string()
    .describe('What is left of each limit')
    .meta({ examples: ['"key";r=0;t=1'] }),
  'RateLimit-Policy': z
    .string()
    .describe('The limits')
    .meta({ examples: ['"key";q=1200;w=60'] }),
});
const ERROR_HEADERS: Record<number, z.ZodObject> = {
  401: z.object({ 'WWW-Authenticate': z.string() }),
  429: retryAfter.extend(rateLimits.shape),
  503: retryAfter,
};

const describeError = (code: number) => ({
  description: DESCRIPTIONS[code] ?? 'Error',
  headers: requestId.extend(ERROR_HEADERS[code]?.shape ?? {}),
  content: { [JSON_TYPE]: { schema: errorBody } },
});

/** The same parameters, each with its value from an example request. */
function withExamples(schema: z.ZodObject, values: object = {}): z.ZodObject {
  const shown = Object.entries(values).map(([name, example]) => {
    const field = schema.shape[name] as z.ZodType;
    return [name, field.meta({ ...field.meta(), examples: [example] })] as const;
  });
  return shown.length > 0 ? schema.extend(Object.fromEntries(shown)) : schema;
}
