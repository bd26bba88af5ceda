import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { findHostError, handleClientError, sendProtocolError } from './protocol-errors.js';

const MAX_HEADER_BYTES = 16 * 1024;
const HEADERS_TIMEOUT_MS = 20_000;
/** Longer than proxies' idle timeout, so that they never reuse a connection that is being closed. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
/** Idle timeout of a socket. Streams are pinged more often. */
const IDLE_TIMEOUT_MS = 300_000;
const CHECK_INTERVAL_MS = 5_000;
const WARN_INTERVAL_MS = 60_000;

export interface HttpServerOptions {
  /** Timeout for receiving a request with its body. */
  requestTimeoutMs: number;
  /** Connections above are closed. */
  maxConnections: number;
  log: Logger;
  headersTimeoutMs?: number;
  idleTimeoutMs?: number;
  /** Interval of the timeout checks. */
  checkIntervalMs?: number;
}

/**
 * The HTTP server, with timeouts and connection limits, and the documented error body for protocol errors.
 */
export function createHttpServer(listener: RequestListener, options: HttpServerOptions): Server {
  const { requestTimeoutMs, maxConnections, log, idleTimeoutMs = IDLE_TIMEOUT_MS } = options;
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: Math.min(options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: options.checkIntervalMs ?? CHECK_INTERVAL_MS,
    // Checked below: Node.js would respond without a body.
    requireHostHeader: false,
  });
  server.timeout = idleTimeoutMs;
  server.maxConnections = maxConnections;

  /** The last response of each connection. */
  const responses = new WeakMap<Socket, ServerResponse>();
  server.on('request', (req, res) => {
    responses.set(req.socket, res);
    const hostError = findHostError(req);
    if (hostError) {
      sendProtocolError(res, hostError);
      return;
    }
    listener(req, res);
  });
  server.on('checkExpectation', (_req, res) => sendProtocolError(res, 'unknownExpectation'));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    handleClientError(error, socket as Socket, responses.get(socket as Socket));
  });

  let warnedAt = Number.NEGATIVE_INFINITY;
  server.on('drop', () => {
    if (performance.now() - warnedAt < WARN_INTERVAL_MS) return;
    warnedAt = performance.now();
    log.warn({ maxConnections }, 'turning connections away: there are as many as allowed');
  });
  return server;
}
