import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** How long a connection whose requests are no longer read may take for the answers to those before. */
const CLOSE_TIMEOUT_MS = 60_000;
/** Events for which Node.js stops listening when it hands over a socket; responses that are not sent yet need it to. */
const KEPT_EVENTS = ['close', 'drain', 'error', 'timeout'] as const;

type Listener = (...given: unknown[]) => void;

/**
 * Node.js parses all that it has read, also after its connection was paused: 64 KiB are thousands of requests. Only at
 * CONNECT it stops, and hands the socket over. Hence this one in place of the first request that is too many.
 */
const SURPLUS_REQUEST = Object.defineProperties(new IncomingMessage(new Socket()), {
  method: { get: () => 'CONNECT', set: () => {} },
  upgrade: { get: () => true, set: () => {} },
});

/**
 * Stops the parsing of connections within what was read from them.
 *
 * @param isSurplus whether the next request of a connection is not to be answered
 */
export function stopAtSurplus(isSurplus: (socket: Socket) => boolean) {
  const kept = new WeakMap<Socket, (readonly [string, Listener[]])[]>();
  function createRequest(socket: Socket): IncomingMessage {
    if (!isSurplus(socket)) return new IncomingMessage(socket);
    kept.set(
      socket,
      KEPT_EVENTS.map((event) => [event, socket.listeners(event) as Listener[]] as const),
    );
    return SURPLUS_REQUEST;
  }
  return {
    /** Option of `createServer`. */
    IncomingMessage: createRequest as unknown as typeof IncomingMessage,

    /** Listener for `connect`. */
    onConnect(req: IncomingMessage, stream: unknown): void {
      const socket = stream as Socket;
      if (req !== SURPLUS_REQUEST) {
        socket.destroy();
        return;
      }
      for (const [event, listeners] of kept.get(socket) ?? []) {
        const present = new Set<unknown>(socket.listeners(event));
        for (const listener of listeners) if (!present.has(listener)) socket.on(event, listener);
      }
      // As Node.js does; its listener is gone.
      socket.once('end', () => socket.end());
      // Closing with unread input would reset the connection before the client reads the answers.
      socket.resume();
      const cutOff = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
      socket.once('close', () => clearTimeout(cutOff));
    },
  };
}
