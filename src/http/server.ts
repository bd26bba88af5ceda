import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { handleClientError, PROTOCOL_ERRORS, sendProtocolError } from './protocol-errors.js';

const MAX_HEADER_BYTES = 16 * 1024;
const HEADERS_TIMEOUT_MS = 20_000;
/** Longer than proxies keep theirs, or they would send a request into a connection that is just being closed. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
/** Neither side says anything. Streams are pinged more often than that, and nothing is waited for so long. */
const IDLE_TIMEOUT_MS = 300_000;
const CHECK_INTERVAL_MS = 5_000;
const WARN_INTERVAL_MS = 60_000;

export interface HttpServerOptions {
  /** How long a request may take to arrive, with its body. */
  requestTimeoutMs: number;
  /** Whoever connects above is turned away without a word. */
  maxConnections: number;
  log: Logger;
  headersTimeoutMs?: number;
  idleTimeoutMs?: number;
  /** How often slow requests are looked for. */
  checkIntervalMs?: number;
}

/** The HTTP server, with limits to what one client can hold, and the documented body in answers of its own. */
export function createHttpServer(listener: RequestListener, options: HttpServerOptions): Server {
  const { requestTimeoutMs, maxConnections, log, idleTimeoutMs = IDLE_TIMEOUT_MS } = options;
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: Math.min(options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: options.checkIntervalMs ?? CHECK_INTERVAL_MS,
    // Node.js would refuse it without a body.
    requireHostHeader: false,
  });
  server.timeout = idleTimeoutMs;
  server.maxConnections = maxConnections;

  /** What each connection was asked last. */
  const answers = new WeakMap<Socket, ServerResponse>();
  server.on('request', (req, res) => {
    answers.set(req.socket, res);
    if (req.httpVersion === '1.1' && req.headers.host === undefined) {
      sendProtocolError(res, PROTOCOL_ERRORS.missingHost);
      return;
    }
    listener(req, res);
  });
  server.on('checkExpectation', (_req, res) => sendProtocolError(res, PROTOCOL_ERRORS.unknownExpectation));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    handleClientError(error, socket as Socket, answers.get(socket as Socket));
  });

  let warnedAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    if (performance.now() - warnedAt < WARN_INTERVAL_MS) return;
    warnedAt = performance.now();
    log.warn({ maxConnections }, 'turning connections away: there are as many as allowed');
  });
  return server;
}
