import type { EndpointFailure } from './endpoint-error.js';

/** Machine codes of providers and servers, which say more than the status. */
const CODES: Record<string, EndpointFailure> = {
  // OpenAI, and most that imitate it.
  invalid_api_key: 'unauthorized',
  insufficient_quota: 'quota-exhausted',
  billing_hard_limit_reached: 'quota-exhausted',
  billing_not_active: 'quota-exhausted',
  model_not_found: 'not-found',
  context_length_exceeded: 'too-long',
  max_tokens_per_request: 'too-long',
  string_above_max_length: 'too-long',
  // Azure OpenAI.
  DeploymentNotFound: 'not-found',
  // llama.cpp.
  exceed_context_size_error: 'too-long',
  unavailable_error: 'unavailable',
};

const STATUSES: Record<number, EndpointFailure> = {
  400: 'bad-request',
  401: 'unauthorized',
  402: 'quota-exhausted',
  403: 'unauthorized',
  404: 'not-found',
  405: 'not-found',
  408: 'timed-out',
  410: 'not-found',
  413: 'too-long',
  422: 'bad-request',
  // Text Embeddings Inference: its model failed.
  424: 'unavailable',
  429: 'rate-limited',
  // Cohere: its filter refuses the texts.
  498: 'bad-request',
  504: 'timed-out',
};

/**
 * Why an endpoint answered with a failure.
 *
 * @param body the JSON of the answer, in whatever form
 */
export function classifyFailure(status: number, body: unknown): EndpointFailure {
  const known = codesOf(body).flatMap((code) => (Object.hasOwn(CODES, code) ? [CODES[code]] : []))[0];
  if (known) return known;
  // What moved is elsewhere: redirects are not followed.
  if (status < 400) return 'not-found';
  return STATUSES[status] ?? (status < 500 ? 'bad-request' : 'unavailable');
}

/** Where servers name a code: `error.code`, `error.type` and the like, or the same without `error`. */
function codesOf(body: unknown): string[] {
  const error = fieldOf(body, 'error');
  return [error, body].flatMap((one) =>
    ['code', 'type', 'error_type'].flatMap((name) => {
      const code = fieldOf(one, name);
      return typeof code === 'string' ? [code] : [];
    }),
  );
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
