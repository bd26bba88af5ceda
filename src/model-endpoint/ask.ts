import { readText } from '../async/limit-bytes.js';
import { readRetryAfter } from '../errors/retry-after.js';
import { inSpan } from '../tracing/spans.js';
import { classifyFailure } from './classify-failure.js';
import { EndpointError, type ModelEndpoint, unusable } from './endpoint-error.js';
import { describeFailure } from './operator-message.js';
import { type RequestBody, UnreadableFileError } from './request-body.js';
import { type EndpointResponse, sendRequest } from './send-request.js';

/** Of an answer that is a failure. */
const MAX_FAILURE_BYTES = 64 * 1024;
/** Of what an endpoint says of a failure. */
const MAX_SAID_LENGTH = 300;

export interface EndpointRequest {
  endpoint: ModelEndpoint;
  method: 'GET' | 'POST' | 'PUT';
  /** Of the API, such as `http://127.0.0.1:11434/v1`. */
  url: string;
  /** Under that; none if empty. */
  path: string;
  headers?: Record<string, string>;
  body?: string | RequestBody;
  /** Most bytes of the answer. */
  maxBytes: number;
  /** What is thrown above that; default: that the answer cannot be used. */
  toTooLarge?: () => EndpointError;
  /** Whether a status is no failure; default: 200 to 299. */
  isAnswer?: (status: number) => boolean;
  signal: AbortSignal;
}

export interface EndpointAnswer {
  status: number;
  /** Without parameters, in lower case; empty without one. */
  mediaType: string;
  text: string;
}

/**
 * Asks an endpoint that runs a model. Redirects are failures.
 *
 * @throws EndpointError
 * @throws UnreadableFileError
 */
export function ask(request: EndpointRequest): Promise<EndpointAnswer> {
  const { endpoint, method, url, maxBytes, isAnswer = isSuccess } = request;
  const attributes = { 'http.request.method': method, 'server.address': hostOf(url) };
  return inSpan(`ask ${endpoint} endpoint`, { kind: 'client', attributes }, async (span) => {
    const response = await send(request);
    const { status, headers } = response;
    span?.set({ 'http.response.status_code': status });
    if (!isAnswer(status)) throw await toError(endpoint, response);
    const toTooLarge = request.toTooLarge ?? (() => unusable(endpoint, `more than ${maxBytes} bytes`));
    const text = await read(endpoint, response, maxBytes, toTooLarge);
    return { status, mediaType: mediaTypeOf(headers['content-type']), text };
  });
}

const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined);

const mediaTypeOf = (contentType = ''): string => (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();

async function send(request: EndpointRequest): Promise<EndpointResponse> {
  const { endpoint, url, path } = request;
  try {
    const target = path === '' ? new URL(url) : new URL(path, url.endsWith('/') ? url : `${url}/`);
    return await sendRequest(target, request);
  } catch (error) {
    throw toFailure(endpoint, error);
  }
}

async function toError(endpoint: ModelEndpoint, response: EndpointResponse): Promise<EndpointError> {
  const { status, headers } = response;
  const toTooLarge = () => unusable(endpoint, `more than ${MAX_FAILURE_BYTES} bytes`);
  const said = await read(endpoint, response, MAX_FAILURE_BYTES, toTooLarge).catch(() => '');
  const failure = classifyFailure(status, parseJson(said));
  return new EndpointError(endpoint, failure, describeFailure(endpoint, failure, status), {
    status,
    retryAfterMs: readRetryAfter(headers['retry-after']),
    said: said.slice(0, MAX_SAID_LENGTH),
  });
}

async function read(
  endpoint: ModelEndpoint,
  { body }: EndpointResponse,
  maxBytes: number,
  toTooLarge: () => EndpointError,
): Promise<string> {
  try {
    return await readText(body, maxBytes, toTooLarge);
  } catch (error) {
    throw toFailure(endpoint, error);
  }
}

/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toFailure(endpoint: ModelEndpoint, error: unknown): EndpointError | UnreadableFileError {
  if (error instanceof EndpointError || error instanceof UnreadableFileError) return error;
  const { name, message, code, syscall } = error as NodeJS.ErrnoException;
  const fail = (failure: 'timed-out' | 'unavailable', reason: string, said?: string) =>
    new EndpointError(endpoint, failure, `The ${endpoint} endpoint does not answer: ${reason}.`, { said });
  if (name === 'TimeoutError' || name === 'AbortError') return fail('timed-out', 'no answer in time');
  // The operating system's words name no more than the address; those of TLS and HTTP quote the endpoint.
  const reason = syscall && message ? message : (code ?? 'the connection failed');
  return fail('unavailable', reason, message.slice(0, MAX_SAID_LENGTH));
}
