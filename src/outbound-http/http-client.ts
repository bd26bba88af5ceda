import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { LookupFunction, Socket } from 'node:net';
import { limitInterimResponses } from '../async/interim-responses.js';
import { readWithIdleTimeout, withTimeout } from '../async/timeouts.js';
import type { Allowlist } from './allowlist.js';
import { createPublicConnect } from './connect.js';
import { malformedResponseError } from './fetch-error.js';

const IDLE_TIMEOUT_MS = 30_000;
const MAX_HEADER_BYTES = 16 * 1024;

export interface HttpRequest {
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Ends the exchange, body included. */
  signal: AbortSignal;
}

export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** As it was sent, still compressed. Read to its end or returned early, it closes the connection; throws what breaks it. */
  body: AsyncIterable<Uint8Array>;
  /** Closes the connection, for callers that do not read the body. */
  close(): void;
}

/** @throws what `toFetchError` explains */
export type HttpClient = (url: URL, request: HttpRequest) => Promise<HttpResponse>;

/**
 * An HTTP client for untrusted servers; each request uses its own connection. Redirects are left to the
 * caller. No response, or lack of one, causes an unhandled error.
 *
 * @param allow hosts that may have private addresses
 * @param lookup DNS lookup
 */
export function createHttpClient(allow: Allowlist, lookup?: LookupFunction): HttpClient {
  const connect = createPublicConnect(allow, lookup);

  return async (url, request) => {
    const socket = await connect(url, request.signal);
    const close = () => void socket.destroy();
    try {
      const response = await withTimeout(IDLE_TIMEOUT_MS, exchange(socket, url, request));
      const { statusCode = 0, headers } = response;
      return { status: statusCode, headers, body: readWithIdleTimeout(IDLE_TIMEOUT_MS, response), close };
    } catch (error) {
      close();
      throw error;
    }
  };
}

/** Sends a request and waits for the head of its answer. */
function exchange(
  socket: Socket,
  url: URL,
  { method, headers, body }: HttpRequest,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let response: IncomingMessage | undefined;
    const fail = (error: Error) => {
      reject(error);
      // What follows a whole answer takes nothing away from it.
      if (!response?.complete) response?.destroy(error);
      socket.destroy();
    };
    const request = http.request({
      createConnection: () => socket,
      method,
      path: url.pathname + url.search,
      headers: { ...headers, host: url.host },
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    // These listeners are never removed: errors may come after the body was read.
    request.on('error', fail);
    request.on('upgrade', () => fail(malformedResponseError()));
    limitInterimResponses(request, () => fail(malformedResponseError()));
    request.on('response', (received) => {
      response = received;
      received.on('error', () => {});
      resolve(received);
    });
    request.end(body);
  });
}
