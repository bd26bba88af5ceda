import type { LookupFunction } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import zlib from 'node:zlib';
import { type Agent, type Dispatcher, request } from 'undici';
import { tooLargeMessage } from '../too-large.js';
import { createPublicAgent } from './fetch-source-agent.js';
import { createAllowList } from './fetch-source-allow.js';
import { FetchError, toFetchError } from './fetch-source-error.js';
import { first, type ResourceFacts, readFacts } from './fetch-source-headers.js';

export interface FetchOptions {
  /** Bytes of the decoded body; more than this ends in `too_large`, also in the middle of the body. */
  maxBytes: number;
  /** Milliseconds for the whole exchange, body included; default 60,000. */
  timeoutMs?: number;
  /** Default 5. */
  maxRedirects?: number;
  /** Who may be private on purpose: see `createAllowList`. */
  allowHosts?: string[];
  signal?: AbortSignal;
  /** What an earlier answer said of itself; while it holds, `notModified` comes instead of the body. */
  known?: { etag?: string | undefined; httpLastModified?: string | undefined };
  /** Default GET. */
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  requestBody?: string;
  /** How names become addresses; the system's way unless given. */
  lookup?: LookupFunction;
}

export interface FetchedSource extends ResourceFacts {
  /** To be read to its end or returned early; throws FetchError when the transfer fails. */
  body: AsyncIterable<Uint8Array>;
  finalUrl: string;
  /** Whether it is still what is `known`; the body is empty then. */
  notModified: boolean;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const NOT_MODIFIED = 304;
const RETRYABLE_STATUSES = new Set([408, 425, 429]);
const HEADERS = { 'user-agent': 'lectern', accept: '*/*', 'accept-encoding': 'gzip, deflate, br' };

/**
 * Opens a public http(s) URL and follows the redirects of a GET, each checked like the first. Whatever the server
 * fetches from an address that somebody gave it goes through here.
 *
 * @throws FetchError; the caller's own abort reason when `signal` fires
 */
export async function fetchUrl(url: string, options: FetchOptions): Promise<FetchedSource> {
  const agent = createPublicAgent(createAllowList(options.allowHosts ?? []), options.lookup);
  const deadline = AbortSignal.timeout(options.timeoutMs ?? 60_000);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  const fail = async (error: unknown): Promise<never> => {
    await agent.destroy();
    options.signal?.throwIfAborted();
    throw toFetchError(deadline.aborted ? deadline.reason : error);
  };
  try {
    const { response, finalUrl } = await follow(parseUrl(url), options, agent, signal);
    refuseDeclaredSize(response, options.maxBytes);
    const notModified = response.statusCode === NOT_MODIFIED;
    if (notModified) await agent.destroy();
    const body = notModified ? Readable.from([]) : limitedBody(response, options.maxBytes, agent, fail);
    return { body, finalUrl: finalUrl.href, notModified, ...readFacts(response.headers, finalUrl) };
  } catch (error) {
    return fail(error);
  }
}

async function follow(start: URL, options: FetchOptions, agent: Agent, signal: AbortSignal) {
  const { method = 'GET', requestBody = null, maxRedirects = 5 } = options;
  let url = start;
  for (let hop = 0; hop <= maxRedirects; hop++) {
    // What is meant for one server, another does not get to see.
    const own = url.origin === start.origin ? options.headers : undefined;
    const headers = { ...HEADERS, ...conditions(options), ...own };
    const response = await request(url, { dispatcher: agent, signal, method, headers, body: requestBody });
    const location = first(response.headers, 'location');
    if (method !== 'GET' || !REDIRECTS.has(response.statusCode) || !location) {
      const isConditional = 'if-none-match' in headers || 'if-modified-since' in headers;
      const isExpected = isConditional && response.statusCode === NOT_MODIFIED;
      if (!isExpected) refuseStatus(response.statusCode);
      return { response, finalUrl: url };
    }
    await response.body.dump({ limit: 64 * 1024 }).catch(() => {});
    url = parseUrl(location, url);
  }
  const message = 'This URL redirects too many times; give the address where it ends.';
  throw new FetchError('too_many_redirects', message, false);
}

function conditions({ known }: FetchOptions): Record<string, string> {
  return {
    ...(known?.etag && { 'if-none-match': known.etag }),
    ...(known?.httpLastModified && { 'if-modified-since': known.httpLastModified }),
  };
}

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

function refuseStatus(status: number): void {
  // A part that nobody asked for is not the page.
  if (status >= 200 && status < 300 && status !== 206) return;
  const message = `The server answered with status ${status}; check that the page is public and still there.`;
  throw new FetchError('http_status', message, status >= 500 || RETRYABLE_STATUSES.has(status));
}

function refuseDeclaredSize(response: Dispatcher.ResponseData, maxBytes: number): void {
  if (Number(first(response.headers, 'content-length')) > maxBytes) throw tooLarge(maxBytes);
}

async function* limitedBody(
  response: Dispatcher.ResponseData,
  maxBytes: number,
  agent: Agent,
  fail: (error: unknown) => Promise<never>,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  try {
    for await (const chunk of decoded(response) as AsyncIterable<Uint8Array>) {
      received += chunk.byteLength;
      if (received > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    await fail(error);
  } finally {
    await agent.destroy();
  }
}

/** Counted after decompression, so that a small compressed body cannot become a huge one. */
function decoded(response: Dispatcher.ResponseData): Readable {
  const decoder = decoderFor(first(response.headers, 'content-encoding') ?? 'identity');
  return decoder ? pipeline(response.body, decoder, () => {}) : response.body;
}

function decoderFor(encoding: string) {
  switch (encoding.trim().toLowerCase()) {
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip();
    case 'deflate':
      return zlib.createInflate();
    case 'br':
      return zlib.createBrotliDecompress();
    default:
      throw new FetchError('broken_body', 'The server used a compression that is not supported.', false);
  }
}

const tooLarge = (maxBytes: number) => new FetchError('too_large', tooLargeMessage(maxBytes), false);
