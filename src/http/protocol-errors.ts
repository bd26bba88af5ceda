import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorDetail, toErrorBody } from '../error-body.js';
import { REQUEST_ID_HEADER } from './middleware/request-id.js';
import { SECURITY_HEADERS } from './middleware/security-headers.js';

const LINGER_MS = 1_000;

interface ProtocolError extends ErrorDetail {
  status: number;
}

/** Errors of the HTTP protocol, before Express sees the request. */
export const PROTOCOL_ERRORS = {
  malformed: {
    status: 400,
    type: 'http_error',
    loc: [],
    msg: 'This is no valid HTTP request; check how the client or a proxy before this server writes it.',
  },
  missingHost: {
    status: 400,
    type: 'http_error',
    loc: ['Host'],
    msg: 'The Host header is missing; HTTP/1.1 demands one.',
  },
  requestTimeout: {
    status: 408,
    type: 'request_timeout',
    loc: [],
    msg: 'The request did not arrive in time; send it again, over a faster connection or with a smaller body.',
  },
  chunkExtensions: {
    status: 413,
    type: 'too_large',
    loc: ['body'],
    msg: 'The chunk extensions of the body are too long; send it without them.',
  },
  unknownExpectation: {
    status: 417,
    type: 'http_error',
    loc: ['Expect'],
    msg: 'Only 100-continue can be expected; leave the Expect header out.',
  },
  headersTooLarge: {
    status: 431,
    type: 'too_large',
    loc: [],
    msg: 'The address and the headers of the request are longer than 16 KiB together; shorten them.',
  },
} satisfies Record<string, ProtocolError>;

const BY_CODE: Record<string, ProtocolError> = {
  ERR_HTTP_REQUEST_TIMEOUT: PROTOCOL_ERRORS.requestTimeout,
  HPE_HEADER_OVERFLOW: PROTOCOL_ERRORS.headersTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: PROTOCOL_ERRORS.chunkExtensions,
};

/** Responds with the documented error body and closes the connection. */
export function sendProtocolError(res: ServerResponse, answer: ProtocolError): void {
  res.writeHead(answer.status, headersOf(answer)).end(bodyOf(answer));
}

/** Handles Node's `clientError`: responds unless a response has already started. */
export function handleClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  under: ServerResponse | undefined,
): void {
  const isOver = under?.writableFinished ?? true;
  if (error.code === 'ECONNRESET' || (under?.headersSent && !isOver)) {
    socket.destroy();
    return;
  }
  if (!socket.writable) return;
  const answer = BY_CODE[error.code ?? ''] ?? PROTOCOL_ERRORS.malformed;
  const requestId = isOver ? undefined : under?.getHeader(REQUEST_ID_HEADER);
  const fields = Object.entries(headersOf(answer, requestId)).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${fields.join('')}\r\n`;
  socket.end(head + bodyOf(answer));
  // Closing with unread input would reset the connection before the client reads the response.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

const bodyOf = ({ status: _, ...detail }: ProtocolError): string => JSON.stringify(toErrorBody(detail));

const headersOf = (answer: ProtocolError, requestId: unknown = randomUUID()) => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(bodyOf(answer)),
  Connection: 'close',
  'Cache-Control': 'no-store',
  [REQUEST_ID_HEADER]: String(requestId),
  ...SECURITY_HEADERS,
});
