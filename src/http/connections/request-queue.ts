import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { stopAtSurplus } from './surplus-requests.js';
import { createTurns } from './turns.js';

/** Pipelined requests of a connection that wait for the one before. What comes after them is not answered. */
const MAX_WAITING = 32;
/** And the headers they have together: parsing costs most for these. */
const MAX_WAITING_HEADERS = 200;
/** A request with more trailers is the last that is read: up to the limit of headers in bytes, they cost as much to parse. */
const MAX_TRAILERS = 100;
/** From this part of both on the connection is not read. Below, reading tells when the client disconnects. */
const PAUSE_AT = 1 / 2;

interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  handle: RequestListener;
}

interface Connection {
  handled: Exchange | undefined;
  waiting: Exchange[];
  isPaused: boolean;
  /** Whether more requests came than are answered: after those the connection is closed. */
  isOverfull: boolean;
  /** Whether nothing is answered after the request that is handled. */
  isLast: boolean;
  /** Responds to what is no request, and closes the connection. */
  fail: (() => void) | undefined;
  /** Stops reading again: Node.js resumes the socket after each request. */
  holdBack: () => void;
}

export interface RequestQueueEvents {
  /** A connection without requests has one. */
  onBusy: (socket: Socket) => void;
  /** All requests of a connection were answered. */
  onIdle: (socket: Socket) => void;
}

const connections = new WeakMap<Socket, Connection>();

/**
 * Answers nothing more on the connection of a request whose answer takes long, such as a stream. What waits behind it is
 * dropped, and the connection read on: that alone tells when the client disconnects.
 */
export function endPipeline(req: IncomingMessage): void {
  const { socket } = req;
  const connection = connections.get(socket);
  if (!connection) return;
  if (connection.fail) {
    socket.destroy();
    return;
  }
  const dropped = connection.waiting.splice(0);
  connection.isLast = true;
  connection.isOverfull ||= dropped.length > 0;
  // Bodies that nobody reads stop the reading, too.
  for (const one of [req, ...dropped.map(({ req }) => req)]) one.resume();
  resume(socket, connection);
}

/** The part of what may wait that does; 1 is all. */
function partOf(waiting: Exchange[]): number {
  const headers = waiting.reduce((sum, { req }) => sum + req.rawHeaders.length / 2, 0);
  return Math.max(waiting.length / MAX_WAITING, headers / MAX_WAITING_HEADERS);
}

function pause(socket: Socket, connection: Connection): void {
  if (connection.isPaused) return;
  connection.isPaused = true;
  socket.on('resume', connection.holdBack).pause();
}

function resume(socket: Socket, connection: Connection): void {
  if (!connection.isPaused) return;
  connection.isPaused = false;
  socket.off('resume', connection.holdBack).resume();
}

/**
 * Handles the requests of each connection one after another, so that a pipelined one holds nothing while it waits, and
 * each response has its socket, and a `close` event.
 */
export function createRequestQueue({ onBusy, onIdle }: RequestQueueEvents) {
  const takeTurn = createTurns();

  function connectionOf(socket: Socket): Connection {
    const known = connections.get(socket);
    if (known) return known;
    const connection: Connection = {
      handled: undefined,
      waiting: [],
      isPaused: false,
      isOverfull: false,
      isLast: false,
      fail: undefined,
      // Paused while it was about to resume, it tells nobody again, and would be read.
      holdBack: () => void (socket.isPaused() ? socket.emit('pause') : socket.pause()),
    };
    connections.set(socket, connection);
    return connection;
  }

  function isSurplus(socket: Socket): boolean {
    const connection = connections.get(socket);
    if (!connection) return false;
    const { handled, waiting, isLast, fail } = connection;
    const before = waiting.at(-1) ?? handled;
    const isLong = before !== undefined && before.req.rawTrailers.length / 2 > MAX_TRAILERS;
    if (!isLast && !fail && !isLong && partOf(waiting) < 1) return false;
    resume(socket, connection);
    // At once: Node.js no longer listens when it is handed over, and would not read again what it had paused.
    socket.emit('resume');
    connection.isOverfull = true;
    if (!fail) waiting.at(-1)?.res.setHeader('Connection', 'close');
    return true;
  }

  function handle(socket: Socket, connection: Connection, exchange: Exchange): void {
    connection.handled = exchange;
    // Not at once, even if none waits yet: Node.js may be parsing more, and runs what is due between requests.
    exchange.res.once('close', () => takeTurn(() => handleNext(socket, connection)));
    exchange.handle(exchange.req, exchange.res);
  }

  function handleNext(socket: Socket, connection: Connection): void {
    connection.handled = undefined;
    connection.isLast = false;
    // Its client left, or was told that no more answers come.
    if (!socket.writable) {
      connection.waiting = [];
      return;
    }
    const next = connection.waiting.shift();
    // The last one may still be arriving.
    if (connection.waiting.length === 0) resume(socket, connection);
    if (next) handle(socket, connection, next);
    else if (connection.fail) connection.fail();
    else if (connection.isOverfull) socket.destroySoon();
    else onIdle(socket);
  }

  return {
    ...stopAtSurplus(isSurplus),

    /** Handles a request after those before it. */
    add(req: IncomingMessage, res: ServerResponse, listener: RequestListener): void {
      const { socket } = req;
      const connection = connectionOf(socket);
      // Its response would be taken for that of the request that failed.
      if (connection.fail) return;
      const exchange = { req, res, handle: listener };
      if (connection.handled) {
        connection.waiting.push(exchange);
        if (partOf(connection.waiting) >= PAUSE_AT) pause(socket, connection);
        return;
      }
      onBusy(socket);
      handle(socket, connection, exchange);
    },

    /**
     * Responds to what is no valid request, after the requests before it.
     *
     * @param respond gets the response to the request whose body is not valid, if that is it
     */
    fail(socket: Socket, respond: (pending: ServerResponse | undefined) => void): void {
      const connection = connectionOf(socket);
      if (connection.isLast) {
        socket.destroy();
        return;
      }
      // What follows is no request either.
      if (connection.fail) return;
      connection.fail = () => respond(undefined);
      const { handled, waiting } = connection;
      if (waiting.at(-1)?.req.complete === false) waiting.pop();
      if (!handled) respond(undefined);
      else if (!handled.req.complete) respond(handled.res);
    },
  };
}
