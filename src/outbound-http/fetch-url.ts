import type { LookupFunction } from 'node:net';
import { linkedController } from '../async/linked-signals.js';
import { inSpan } from '../tracing/spans.js';
import { createAllowlist } from './allowlist.js';
import { decompressBody, tooLargeError } from './decompress-body.js';
import { FetchError, toFetchError } from './fetch-error.js';
import { createHttpClient, type HttpClient, type HttpResponse } from './http-client.js';
import {
  firstHeader,
  latin1ToUtf8,
  parseResourceHeaders,
  type ResourceMetadata,
} from './resource-headers.js';

export interface FetchOptions {
  /** Bytes of the body, before and after decompression; more ends in `too_large`, also in the middle of the body. */
  maxBytes: number;
  /** Milliseconds for the whole exchange, body included; default 60,000. */
  timeoutMs?: number;
  /** Default 5. */
  maxRedirects?: number;
  /** Hosts that may have private addresses: see `createAllowlist`. */
  allowHosts?: string[];
  signal?: AbortSignal;
  /** Validators of an earlier response; sent as a conditional request, which may return `notModified`. */
  validators?: { etag?: string | undefined; httpLastModified?: string | undefined };
  /** Default GET. */
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  requestBody?: string;
  /** DNS lookup; default: the system's. */
  lookup?: LookupFunction;
}

export interface FetchResult extends ResourceMetadata {
  /** To be consumed or closed; throws FetchError when the transfer fails. */
  body: AsyncIterable<Uint8Array>;
  finalUrl: string;
  /** Whether the validators still match; the body is then empty. */
  notModified: boolean;
  /** What time it is there, if the server says. */
  serverTime: Date | undefined;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const NOT_MODIFIED = 304;
const RETRYABLE_STATUSES = new Set([408, 425, 429]);
const HEADERS = { 'user-agent': 'lectern', accept: '*/*', 'accept-encoding': 'gzip, deflate, br' };

/**
 * Opens a public http(s) URL and follows the redirects of a GET, each checked like the first. All requests to
 * addresses given by users go through this function.
 *
 * @throws FetchError; the caller's own abort reason when `signal` fires
 */
export const fetchUrl = (url: string, options: FetchOptions): Promise<FetchResult> =>
  inSpan('fetch', { kind: 'client', attributes: describeTarget(url, options) }, () => open(url, options));

/** Without its path, which may hold a secret. Pages of others are not told of the trace. */
const describeTarget = (url: string, { method = 'GET' }: FetchOptions) => ({
  'http.request.method': method,
  'server.address': URL.canParse(url) ? new URL(url).host : undefined,
});

async function open(url: string, options: FetchOptions): Promise<FetchResult> {
  const client = createHttpClient(createAllowlist(options.allowHosts ?? []), options.lookup);
  // Aborts the exchange. The timer also closes a body that is never read.
  const { signal, abort } = linkedController(options.signal);
  const timer = setTimeout(() => abort(tookTooLong()), options.timeoutMs ?? 60_000).unref();
  const end = () => {
    clearTimeout(timer);
    abort();
  };
  const fail = (error: unknown): never => {
    const reason = signal.aborted ? signal.reason : error;
    end();
    options.signal?.throwIfAborted();
    throw toFetchError(reason);
  };
  try {
    const { answer, finalUrl } = await followRedirects(parseUrl(url), options, client, signal);
    assertContentLength(answer, options.maxBytes);
    const notModified = answer.status === NOT_MODIFIED;
    if (notModified) end();
    const body = notModified ? nothing() : limitedBody(answer, options.maxBytes, { fail, end });
    const serverTime = timeOf(firstHeader(answer.headers, 'date'));
    const about = parseResourceHeaders(answer.headers, finalUrl);
    return { body, finalUrl: finalUrl.href, notModified, serverTime, ...about };
  } catch (error) {
    return fail(error);
  }
}

function timeOf(header: string | undefined): Date | undefined {
  const time = new Date(header ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

const tookTooLong = () => Object.assign(new Error('The exchange took too long.'), { name: 'TimeoutError' });

async function followRedirects(start: URL, options: FetchOptions, client: HttpClient, signal: AbortSignal) {
  const { method = 'GET', requestBody, maxRedirects = 5 } = options;
  let url = start;
  for (let hop = 0; hop <= maxRedirects; hop++) {
    // Caller headers are not sent to another origin.
    const own = url.origin === start.origin ? options.headers : undefined;
    const headers = { ...HEADERS, ...conditionalHeaders(options), ...own };
    const answer = await client(url, { method, headers, body: requestBody, signal });
    const location = latin1ToUtf8(answer.headers.location);
    if (method !== 'GET' || !REDIRECTS.has(answer.status) || !location) {
      const isConditional = 'if-none-match' in headers || 'if-modified-since' in headers;
      const isExpected = isConditional && answer.status === NOT_MODIFIED;
      if (!isExpected) assertSuccessStatus(answer.status);
      return { answer, finalUrl: url };
    }
    answer.close();
    url = parseUrl(location, url);
  }
  const message = 'This URL redirects too many times; give the address where it ends.';
  throw new FetchError('too_many_redirects', message, false);
}

function conditionalHeaders({ validators }: FetchOptions): Record<string, string> {
  return {
    ...(validators && isHeaderValue(validators.etag) && { 'if-none-match': validators.etag }),
    ...(validators &&
      isHeaderValue(validators.httpLastModified) && { 'if-modified-since': validators.httpLastModified }),
  };
}

/** A validator may contain characters that are invalid in a header. */
const isHeaderValue = (value: string | undefined): value is string =>
  value !== undefined && /^[\x20-\x7e\x80-\xff]+$/.test(value);

function parseUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new FetchError('invalid_url', 'This is not a valid URL.', false);
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new FetchError('invalid_url', 'Only http and https URLs can be fetched.', false);
  }
  if (url.username || url.password) {
    throw new FetchError('invalid_url', 'A URL with a user name or password in it is not fetched.', false);
  }
  return url;
}

function assertSuccessStatus(status: number): void {
  // An unrequested 206 is incomplete.
  if (status >= 200 && status < 300 && status !== 206) return;
  const message = `The server answered with status ${status}; check that the page is public and still there.`;
  throw new FetchError('http_status', message, status >= 500 || RETRYABLE_STATUSES.has(status));
}

function assertContentLength({ headers }: HttpResponse, maxBytes: number): void {
  if (Number(firstHeader(headers, 'content-length')) > maxBytes) throw tooLargeError(maxBytes);
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function* limitedBody(
  { body, headers }: HttpResponse,
  maxBytes: number,
  { fail, end }: { fail: (error: unknown) => never; end: () => void },
): AsyncGenerator<Uint8Array> {
  const encoding = firstHeader(headers, 'content-encoding') ?? 'identity';
  try {
    yield* decompressBody(body, { encoding, maxBytes });
  } catch (error) {
    fail(error);
  } finally {
    end();
  }
}
