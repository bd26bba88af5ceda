import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline, Readable } from 'node:stream';
import zlib from 'node:zlib';
import { limitInterimResponses, MAX_INTERIM_RESPONSES } from '../async/interim-responses.js';
import { type ModelEndpoint, unusable } from './endpoint-error.js';
import { type RequestBody, UnreadableFileError } from './request-body.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** Below the 5 seconds after which many servers close a connection that nobody uses. */
const KEEP_ALIVE_MS = 4_000;

const agentOptions = { keepAlive: true, timeout: KEEP_ALIVE_MS };
const secureAgent = new https.Agent(agentOptions);
const plainAgent = new http.Agent(agentOptions);

export interface RequestOptions {
  endpoint: ModelEndpoint;
  method: 'GET' | 'POST' | 'PUT';
  headers?: Record<string, string>;
  body?: string | RequestBody;
  /** Ends the exchange, body included. */
  signal: AbortSignal;
}

export interface EndpointResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** Decompressed. To be read to its end, or returned early, which closes the connection. */
  body: AsyncIterable<Uint8Array>;
}

/**
 * Asks a server; redirects are not followed.
 *
 * @throws EndpointError above 16 interim responses; the reason of the signal; what sockets, TLS and HTTP say. So does
 *   the body of the answer
 * @throws UnreadableFileError
 */
export async function sendRequest(url: URL, request: RequestOptions): Promise<EndpointResponse> {
  const { signal } = request;
  try {
    const response = await exchange(url, request);
    const { statusCode = 0, headers } = response;
    return { status: statusCode, headers, body: readBody(response, signal) };
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/** Sends a request and waits for the head of its answer. */
function exchange(
  url: URL,
  { endpoint, method, headers, body, signal }: RequestOptions,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const request = (isSecure ? https : http).request(url, {
      method,
      headers: {
        'user-agent': 'lectern',
        accept: '*/*',
        'accept-encoding': 'gzip, deflate',
        ...headers,
        ...(typeof body === 'object' && { 'content-length': body.size }),
      },
      agent: isSecure ? secureAgent : plainAgent,
      signal,
    });
    limitInterimResponses(request, () => {
      request.destroy(unusable(endpoint, `more than ${MAX_INTERIM_RESPONSES} interim responses`));
    });
    request.on('upgrade', (_response, socket) => {
      reject(unusable(endpoint, 'a change of the protocol'));
      socket.destroy();
    });
    request.on('socket', (socket) => {
      if (!socket.connecting) return;
      const timeout = Object.assign(new Error('No connection in time.'), { code: 'ETIMEDOUT' });
      const timer = setTimeout(() => request.destroy(timeout), CONNECT_TIMEOUT_MS);
      socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(timer));
      request.once('close', () => clearTimeout(timer));
    });
    // Never removed: errors may come after the body was read.
    request.on('error', (error) => reject(isUnreadable(source) ? source.errored : error));
    request.on('response', (response) => {
      response.on('error', () => {});
      // A server that answers early reads no more: the rest of the body is not sent.
      response.once('close', () => {
        if (!request.writableFinished) request.destroy();
      });
      resolve(response);
    });
    const source = typeof body === 'object' ? Readable.from(body.parts(), { objectMode: false }) : undefined;
    if (source) pipeline(source, request, () => {});
    else request.end(body);
  });
}

/** Whether a request ended for the file that it sends. */
const isUnreadable = (source: Readable | undefined): source is Readable =>
  source?.errored instanceof UnreadableFileError;

async function* readBody(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* decompressed(response);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
  // What is left of a body is dropped without an error.
  signal.throwIfAborted();
}

function decompressed(response: IncomingMessage): AsyncIterable<Uint8Array> {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (!['gzip', 'x-gzip', 'deflate'].includes(encoding)) return response;
  return pipeline(response, zlib.createUnzip(), () => {});
}
