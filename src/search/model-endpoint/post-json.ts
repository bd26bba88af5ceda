import { z } from 'zod';
import { readRetryAfter } from '../../retry-after.js';
import { inSpan } from '../../tracing/spans.js';
import { EndpointError, unusable } from './endpoint-error.js';

/** Of an answer that is a failure. */
const MAX_FAILURE_BYTES = 64 * 1024;
/** Of what an endpoint says about a failure, in the message of an error. */
const MAX_REASON_LENGTH = 300;

export interface JsonRequest {
  /** What it is, such as "embedding endpoint", for messages. */
  endpoint: string;
  /** Of the API, such as `http://127.0.0.1:11434/v1`. */
  url: string;
  /** Under that. */
  path: string;
  apiKey?: string | undefined;
  body: unknown;
  /** Most bytes of the answer. */
  maxBytes: number;
  signal: AbortSignal;
}

/**
 * Posts JSON to an endpoint that runs a model.
 *
 * @returns the JSON that it answers; undefined where that is none
 * @throws EndpointError
 */
export function postJson(request: JsonRequest): Promise<unknown> {
  const { endpoint, url, maxBytes } = request;
  const attributes = { 'http.request.method': 'POST', 'server.address': hostOf(url) };
  return inSpan(`ask ${endpoint}`, { kind: 'client', attributes }, async (span) => {
    const response = await send(request);
    span?.set({ 'http.response.status_code': response.status });
    if (!response.ok) throw await toError(endpoint, response);
    return parseJson(await readText(endpoint, response, maxBytes));
  });
}

const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined);

async function send({ endpoint, url, path, apiKey, body, signal }: JsonRequest): Promise<Response> {
  try {
    return await fetch(new URL(path, url.endsWith('/') ? url : `${url}/`), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
      redirect: 'error',
      signal,
    });
  } catch (error) {
    throw toUnavailable(endpoint, error);
  }
}

async function toError(endpoint: string, response: Response): Promise<EndpointError> {
  const { status, headers } = response;
  const reason = await readReason(endpoint, response);
  const message = `The ${endpoint} answered ${status}${reason ? `: ${reason}` : ''}.`;
  const details = { status, retryAfterMs: readRetryAfter(headers.get('retry-after')) };
  if (status === 429) return new EndpointError('limited', message, details);
  if (status === 400 || status === 413 || status === 422)
    return new EndpointError('text-refused', message, details);
  if (status >= 400 && status < 500 && status !== 408) return new EndpointError('refused', message, details);
  return new EndpointError('unavailable', message, details);
}

const failure = z.object({ error: z.union([z.string(), z.object({ message: z.string() })]) });

async function readReason(endpoint: string, response: Response): Promise<string> {
  const text = await readText(endpoint, response, MAX_FAILURE_BYTES).catch(() => '');
  const parsed = failure.safeParse(parseJson(text));
  if (!parsed.success) return '';
  const { error } = parsed.data;
  return (typeof error === 'string' ? error : error.message).slice(0, MAX_REASON_LENGTH).replace(/\.$/, '');
}

async function readText(endpoint: string, response: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of response.body ?? []) {
      size += part.length;
      if (size > maxBytes) throw unusable(endpoint, `more than ${maxBytes} bytes`);
      parts.push(part);
    }
  } catch (error) {
    throw error instanceof EndpointError ? error : toUnavailable(endpoint, error);
  }
  return Buffer.concat(parts).toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toUnavailable(endpoint: string, error: unknown): EndpointError {
  const { name, message, cause } = error as Error;
  const isTimeout = name === 'TimeoutError' || name === 'AbortError';
  const reason = isTimeout ? 'no answer in time' : ((cause as Error | undefined)?.message ?? message);
  return new EndpointError('unavailable', `The ${endpoint} does not answer: ${reason}.`, { cause: error });
}
