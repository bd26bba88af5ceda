import { readText } from '../async/limit-bytes.js';
import { readRetryAfter } from '../errors/retry-after.js';
import { inSpan } from '../tracing/spans.js';
import { classifyFailure } from './classify-failure.js';
import { EndpointError, type ModelEndpoint, unusable } from './endpoint-error.js';
import { describeFailure } from './operator-message.js';
import { type PostResponse, post } from './post.js';

/** Of an answer that is a failure. */
const MAX_FAILURE_BYTES = 64 * 1024;
/** Of what an endpoint says of a failure. */
const MAX_SAID_LENGTH = 300;

export interface JsonRequest {
  endpoint: ModelEndpoint;
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
  return inSpan(`ask ${endpoint} endpoint`, { kind: 'client', attributes }, async (span) => {
    const response = await send(request);
    span?.set({ 'http.response.status_code': response.status });
    if (response.status < 200 || response.status > 299) throw await toError(endpoint, response);
    return parseJson(await read(endpoint, response, maxBytes));
  });
}

const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined);

async function send({ endpoint, url, path, apiKey, body, signal }: JsonRequest): Promise<PostResponse> {
  try {
    return await post(new URL(path, url.endsWith('/') ? url : `${url}/`), {
      endpoint,
      headers: {
        'content-type': 'application/json',
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
      signal,
    });
  } catch (error) {
    throw toFailure(endpoint, error);
  }
}

async function toError(endpoint: ModelEndpoint, response: PostResponse): Promise<EndpointError> {
  const { status, headers } = response;
  const said = await read(endpoint, response, MAX_FAILURE_BYTES).catch(() => '');
  const failure = classifyFailure(status, parseJson(said));
  return new EndpointError(endpoint, failure, describeFailure(endpoint, failure, status), {
    status,
    retryAfterMs: readRetryAfter(headers['retry-after']),
    said: said.slice(0, MAX_SAID_LENGTH),
  });
}

async function read(endpoint: ModelEndpoint, { body }: PostResponse, maxBytes: number): Promise<string> {
  try {
    return await readText(body, maxBytes, () => unusable(endpoint, `more than ${maxBytes} bytes`));
  } catch (error) {
    throw toFailure(endpoint, error);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toFailure(endpoint: ModelEndpoint, error: unknown): EndpointError {
  if (error instanceof EndpointError) return error;
  const { name, message, code, syscall } = error as NodeJS.ErrnoException;
  const fail = (failure: 'timed-out' | 'unavailable', reason: string, said?: string) =>
    new EndpointError(endpoint, failure, `The ${endpoint} endpoint does not answer: ${reason}.`, { said });
  if (name === 'TimeoutError' || name === 'AbortError') return fail('timed-out', 'no answer in time');
  // The operating system's words name no more than the address; those of TLS and HTTP quote the endpoint.
  const reason = syscall && message ? message : (code ?? 'the connection failed');
  return fail('unavailable', reason, message.slice(0, MAX_SAID_LENGTH));
}
