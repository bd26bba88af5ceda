import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { REQUEST_ID } from './name-request.js';
import { SECURITY_HEADERS } from './security-headers.js';

const LINGER_MS = 1_000;

interface ProtocolAnswer {
  status: number;
  type: string;
  loc: string[];
  msg: string;
}

/** What is answered before the application has heard of a request. */
export const PROTOCOL_ANSWERS = {
  malformed: {
    status: 400,
    type: 'http_error',
    loc: [],
    msg: 'This is no valid HTTP request; check how the client or a proxy before this server writes it.',
  },
  noHost: {
    status: 400,
    type: 'http_error',
    loc: ['Host'],
    msg: 'The Host header is missing; HTTP/1.1 demands one.',
  },
  tooSlow: {
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
} satisfies Record<string, ProtocolAnswer>;

const BY_CODE: Record<string, ProtocolAnswer> = {
  ERR_HTTP_REQUEST_TIMEOUT: PROTOCOL_ANSWERS.tooSlow,
  HPE_HEADER_OVERFLOW: PROTOCOL_ANSWERS.headersTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: PROTOCOL_ANSWERS.chunkExtensions,
};

/** Answers with the documented body, and ends the connection. */
export function writeAnswer(res: ServerResponse, answer: ProtocolAnswer): void {
  res.writeHead(answer.status, headersOf(answer)).end(bodyOf(answer));
}

/** Answers what Node.js could not read as a request, unless an answer has begun already. */
export function answerProtocolError(
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
  const answer = BY_CODE[error.code ?? ''] ?? PROTOCOL_ANSWERS.malformed;
  const requestId = isOver ? undefined : under?.getHeader(REQUEST_ID);
  const fields = Object.entries(headersOf(answer, requestId)).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${fields.join('')}\r\n`;
  socket.end(head + bodyOf(answer));
  // Closed at once, with something unread on its way, the client would get a reset in place of the answer.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

const bodyOf = ({ type, loc, msg }: ProtocolAnswer): string =>
  JSON.stringify({ detail: [{ type, loc, msg }] });

const headersOf = (answer: ProtocolAnswer, requestId: unknown = randomUUID()) => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(bodyOf(answer)),
  Connection: 'close',
  'Cache-Control': 'no-store',
  [REQUEST_ID]: String(requestId),
  ...SECURITY_HEADERS,
});
