import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { toErrorBody } from '../errors/error-body.js';
import type { ErrorType } from '../errors/error-types.js';
import { LINGER_MS } from '../rest-facade/read-on.js';
import { REQUEST_ID_HEADER } from './middleware/request-id.js';
import { SECURITY_HEADERS } from './middleware/security-headers.js';

/** Errors of the HTTP protocol, before Express sees the request. Node.js would respond without a body. */
const ERRORS = {
  malformed: [
    400,
    'http_error',
    'This is no valid HTTP request; check how the client or a proxy before this server writes it.',
  ],
  missingHost: [400, 'http_error', 'The Host header is missing; HTTP/1.1 demands one.', 'Host'],
  severalHosts: [
    400,
    'http_error',
    'There is more than one Host header; send one, and check what a proxy adds.',
    'Host',
  ],
  unknownExpectation: [
    417,
    'http_error',
    'Only 100-continue can be expected; leave the Expect header out.',
    'Expect',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    'request_timeout',
    'The request did not arrive in time; send it again, over a faster connection or with a smaller body.',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    413,
    'too_large',
    'The chunk extensions of the body are too long; send it without them.',
    'body',
  ],
  smallChunks: [413, 'too_large', 'The body comes in too many small chunks; send larger ones.', 'body'],
  HPE_HEADER_OVERFLOW: [
    431,
    'too_large',
    'The address and the headers of the request are longer than 16 KiB together, or there are more than 100 headers.',
  ],
  tooManyHeaders: [431, 'too_large', 'The request has more than 100 headers; send fewer.'],
} satisfies Record<string, [status: number, type: ErrorType, msg: string, ...loc: string[]]>;

type ProtocolError = keyof typeof ERRORS;

/** What is wrong with the Host header. Of several Node.js keeps the first, and a proxy may have gone by another. */
export function findHostError({
  httpVersion,
  headers,
  rawHeaders,
}: IncomingMessage): ProtocolError | undefined {
  if (headers.host === undefined) return httpVersion === '1.1' ? 'missingHost' : undefined;
  const isHost = (text: string, place: number) =>
    place % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host';
  return rawHeaders.findIndex(isHost) === rawHeaders.findLastIndex(isHost) ? undefined : 'severalHosts';
}

/** Responds with the documented error body and closes the connection. */
export function sendProtocolError(res: ServerResponse, error: ProtocolError): void {
  const { status, headers, body } = responseOf(error);
  res.writeHead(status, headers).end(body);
}

/**
 * Handles Node's `clientError` and bodies that are refused while they arrive: responds unless a response has already started.
 *
 * @param pending the response to a request that is not valid further on
 */
export function handleClientError(
  code: string | undefined,
  socket: Socket,
  pending: ServerResponse | undefined,
): void {
  if (!socket.writable || pending?.headersSent) {
    socket.destroy();
    return;
  }
  const requestId = pending?.getHeader(REQUEST_ID_HEADER);
  const { status, headers, body } = responseOf(
    code !== undefined && code in ERRORS ? (code as ProtocolError) : 'malformed',
    requestId,
  );
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields.join('')}\r\n${body}`);
  // Closing with unread input would reset the connection before the client reads the response.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function responseOf(error: ProtocolError, requestId: unknown = randomUUID()) {
  const [status, type, msg, ...loc] = ERRORS[error];
  const body = JSON.stringify(toErrorBody({ type, loc, msg }));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
    'Cache-Control': 'no-store',
    [REQUEST_ID_HEADER]: String(requestId),
    ...SECURITY_HEADERS,
  };
  return { status, headers, body };
}
