import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { LINGER_MS, readOn } from '../rest-facade/read-on.js';
import { createChunkJoiner } from './connections/body-chunks.js';
import { type ConnectionLimits, limitConnections } from './connections/connection-limits.js';
import { createRequestQueue } from './connections/request-queue.js';
import { limitUnreadAnswers } from './connections/unread-answers.js';
import { warnEachMinute } from './connections/warn-each-minute.js';
import { findHostError, handleClientError, sendProtocolError } from './protocol-errors.js';

export const MAX_HEADER_BYTES = 16 * 1024;
export const MAX_HEADERS = 100;
export const HEADERS_TIMEOUT_MS = 20_000;
/** Longer than proxies' idle timeout, so that they never reuse a connection that is being closed. */
export const KEEP_ALIVE_TIMEOUT_MS = 75_000;
/** Idle timeout of a socket. Streams are pinged more often. */
const IDLE_TIMEOUT_MS = 300_000;
const CHECK_INTERVAL_MS = 5_000;
/** A dozen of the largest pages. */
export const MAX_UNREAD_BYTES = 128 * 1024 * 1024;
/** From then on a connection whose client does not read gives way to a new one. */
const UNREAD_TIMEOUT_MS = 10_000;

export interface HttpServerOptions extends Omit<ConnectionLimits, 'closeUnread' | 'warn'> {
  /** Timeout for receiving a request with its body. */
  requestTimeoutMs: number;
  headersTimeoutMs?: number;
  idleTimeoutMs?: number;
  /** Interval of the timeout checks. */
  checkIntervalMs?: number;
  maxUnreadBytes?: number;
  unreadTimeoutMs?: number;
  /** A clock in milliseconds. */
  now?: () => number;
  log: Logger;
}

/**
 * The HTTP server, with timeouts and connection limits, and the documented error body for protocol errors.
 */
export function createHttpServer(listener: RequestListener, options: HttpServerOptions): Server {
  const {
    requestTimeoutMs,
    idleTimeoutMs = IDLE_TIMEOUT_MS,
    maxUnreadBytes = MAX_UNREAD_BYTES,
    unreadTimeoutMs = UNREAD_TIMEOUT_MS,
    now = () => performance.now(),
    ...connectionLimits
  } = options;
  const warn = warnEachMinute(options.log);
  const unread = limitUnreadAnswers({ maxUnreadBytes, now, warn });
  const closeUnread = () => unread.closeLongestUnread(unreadTimeoutMs);
  const limits = limitConnections({ ...connectionLimits, closeUnread, warn });
  const queue = createRequestQueue(limits);
  const joinBodyChunks = createChunkJoiner(now);
  const server = createServer({
    IncomingMessage: queue.IncomingMessage,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: Math.min(options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: options.checkIntervalMs ?? CHECK_INTERVAL_MS,
    // Checked below: Node.js would respond without a body.
    requireHostHeader: false,
  });
  server.timeout = idleTimeoutMs;
  // Node.js parses no more of them; one more tells that there are too many.
  server.maxHeadersCount = MAX_HEADERS + 1;

  const fail = (socket: Socket, code: string | undefined) =>
    queue.fail(socket, (pending) => handleClientError(code, socket, pending));
  const refuse = (socket: Socket, code: string) => {
    // What still comes is read until the connection is closed, but not parsed.
    socket.removeAllListeners('data').on('data', () => {});
    fail(socket, code);
  };
  const receive = (req: IncomingMessage, res: ServerResponse, listener: RequestListener) => {
    if (req.rawHeaders.length / 2 > MAX_HEADERS) {
      req.resume();
      refuse(req.socket, 'tooManyHeaders');
      return;
    }
    joinBodyChunks(req, () => refuse(req.socket, 'smallChunks'));
    // Read once, it is not read to its end by Node.js, as fast as it comes.
    res.once('prefinish', () => req.complete || req.read(0));
    res.once('finish', () => closeUnlessComplete(req));
    queue.add(req, res, listener);
  };
  const handle: RequestListener = (req, res) => {
    const hostError = findHostError(req);
    if (hostError) sendProtocolError(res, hostError);
    else listener(req, res);
  };
  const handleExpectant: RequestListener = (req, res) => {
    res.writeContinue();
    handle(req, res);
  };
  server.closeIdleConnections = limits.closeIdle;
  server.closeAllConnections = limits.closeAll;
  server.on('connection', limits.onConnection);
  server.on('connection', unread.onConnection);
  server.on('request', (req, res) => receive(req, res, handle));
  server.on('checkContinue', (req, res) => receive(req, res, handleExpectant));
  server.on('checkExpectation', (req, res) =>
    receive(req, res, () => sendProtocolError(res, 'unknownExpectation')),
  );
  server.on('connect', queue.onConnect);
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket;
    if (error.code === 'ECONNRESET') socket.destroy();
    else fail(socket, error.code);
  });
  return server;
}

/** Closes the connection of a request that was answered and goes on: Node.js would read it for as long as it may take. */
function closeUnlessComplete(req: IncomingMessage): void {
  if (req.complete) return;
  const linger = setTimeout(() => req.socket.destroy(), LINGER_MS);
  req.once('close', () => clearTimeout(linger));
  readOn(req);
}
