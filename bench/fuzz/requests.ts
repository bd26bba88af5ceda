import type { z } from 'zod';
import { listEndpoints } from '../../src/rest-facade/find-endpoints.js';
import { restRouter } from '../../src/rest-facade/index.js';
import { appRouter } from '../../src/routers/index.js';
import type { MakeRequest } from './fuzz-request.js';
import { hostileHeader, hostileText } from './hostile-values.js';
import { createSampler, type SampleOptions } from './sample-schema.js';

/** A maker of requests for each operation of REST and of tRPC. */
export const listOperations = (): MakeRequest[] => [...listRest(), ...listTrpc()];

function listRest(): MakeRequest[] {
  return listEndpoints(restRouter).map(({ name, meta, parts }) => {
    const samplers = Object.entries(parts).map(
      ([part, schema]) => [part, createSampler(schema as z.ZodType)] as const,
    );
    const isForm = meta.contentTypes?.includes('multipart/form-data') ?? false;
    return (options) => {
      const input = Object.fromEntries(samplers.map(([part, sample]) => [part, sample(options)]));
      const path = meta.path.replace(/\{(\w+)\}/g, (_, key) => encodePart(fieldsOf(input.path)[key]));
      const query = toQuery(fieldsOf(input.query));
      const body = isForm ? toForm(fieldsOf(input.body), options) : jsonOf(input.body);
      return {
        name: `${meta.method} ${name}`,
        method: meta.method,
        route: `${path}${query && `?${query}`}`,
        headers: headersOf(options, isForm || body === undefined ? undefined : 'application/json'),
        ...(body !== undefined && meta.method !== 'GET' && { body }),
      };
    };
  });
}

function listTrpc(): MakeRequest[] {
  return Object.entries(appRouter._def.procedures as object).flatMap(([name, { _def }]) => {
    // Files are sent to it as they are; they are tried as documents.
    if (name === 'files.upload') return [];
    const samplers = (_def.inputs as z.ZodType[]).map(createSampler);
    return (options) => {
      const text = jsonOf(samplers.at(-1)?.(options));
      const isMutation = _def.type === 'mutation';
      const query = text === undefined ? '' : `?input=${encodePart(text)}`;
      return {
        name,
        method: isMutation ? 'POST' : 'GET',
        route: `/trpc/${name}${isMutation ? '' : query}`,
        headers: headersOf(options, isMutation ? 'application/json' : undefined),
        ...(isMutation && text !== undefined && { body: text }),
      };
    };
  });
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const jsonOf = (value: unknown): string | undefined => JSON.stringify(value);

/** Longer ones would never get past the limit to a request's head. */
const MAX_PART = 4_000;

function encodePart(value: unknown): string {
  const text = typeof value === 'string' ? value : (jsonOf(value) ?? '');
  return encodeURIComponent(text.slice(0, MAX_PART).toWellFormed()) || '-';
}

const toQuery = (fields: Record<string, unknown>): string =>
  Object.entries(fields)
    .flatMap(([name, value]) =>
      [value]
        .flat()
        .slice(0, 200)
        .map((one) => `${encodePart(name)}=${encodePart(one)}`),
    )
    .join('&')
    .slice(0, 12_000);

function toForm(fields: Record<string, unknown>, { random }: SampleOptions): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value].flat().slice(0, 200)) {
      form.append(name, typeof one === 'string' ? one : (jsonOf(one) ?? ''));
    }
  }
  if (random.below(10) > 0)
    form.append('file', new File([hostileText(random)], hostileText(random).slice(0, 300)));
  return form;
}

const HEADERS = [
  ...[
    'X-User-Id',
    'Idempotency-Key',
    'If-Match',
    'Prefer',
    'X-Request-Id',
    'Accept',
    'Content-Type',
    'Origin',
  ],
  'X-Forwarded-For',
  'Content-Encoding',
  'Accept-Encoding',
  'Authorization',
  'Range',
  'Cookie',
  'Expect',
];

function headersOf({ random, hostility }: SampleOptions, contentType: string | undefined) {
  const headers: Record<string, string> = contentType ? { 'Content-Type': contentType } : {};
  if (random.below(100) < hostility) headers[random.oneOf(HEADERS)] = hostileHeader(random);
  return headers;
}
