import type { Duplex } from 'node:stream';
import pg from 'pg';

/** PostgreSQL's own codes for a broken protocol, and for a statement that writes where nothing may be written. */
const PROTOCOL_VIOLATION = '08P01';
const READ_ONLY = '25006';
/** When the system begins to ask whether the server is still there. */
const KEEP_ALIVE_MS = 10_000;
/** Read in a turn of the event loop: Node.js reads 2 MB, whose JSON may take 50 ms to be parsed. */
const BYTES_OF_TURN = 512 * 1024;

interface GuardedClientConfig extends pg.ClientConfig {
  /** How long the server may be silent while it owes an answer, in milliseconds; for good if undefined. */
  silenceMs?: number | undefined;
}

/** What pg declares nowhere. */
interface Internals {
  connection: {
    stream: Duplex;
    /** Called for the socket, and again for its encryption. */
    attachListeners(stream: Duplex): void;
    on(event: 'errorMessage', listener: (message: { code?: string | undefined }) => void): void;
  };
  /** False while an answer is awaited. */
  readyForQuery: boolean;
  _poolUseCount: number;
}

/**
 * A connection that is given up, rather than waited for or believed: when the server is silent for too long, as behind a
 * firewall that has forgotten the connection; when what comes is not PostgreSQL's protocol, which would end the process;
 * and when the server has become read-only, as after a failover. The statement fails, and the next one gets a new
 * connection.
 */
export class GuardedClient extends pg.Client {
  constructor(config: GuardedClientConfig = {}) {
    super({ keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS, ...config });
    const internals = this as unknown as Internals;
    const { connection } = internals;
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => {
      if (config.silenceMs) endSilence(stream, config.silenceMs, () => !internals.readyForQuery);
      attach(withoutThrowing(stream));
    };
    connection.on('errorMessage', (message) => {
      // All errors of PostgreSQL have a code; that of pg for an unknown message has none.
      if (!message.code) {
        message.code = PROTOCOL_VIOLATION;
        connection.stream.destroy(protocolError());
      }
      // Used up: a pool closes it when it is released.
      if (message.code === READ_ONLY) internals._poolUseCount = Number.POSITIVE_INFINITY;
    });
  }
}

function endSilence(stream: Duplex, silenceMs: number, isAnswerDue: () => boolean): void {
  (stream as Duplex & { setTimeout(ms: number): void }).setTimeout(silenceMs);
  // Also after it was idle for that long, which nobody minds.
  stream.on('timeout', () => {
    if (isAnswerDue()) stream.destroy(toError('ETIMEDOUT', `The database was silent for ${silenceMs} ms.`));
  });
}

/** The stream with listeners that destroy it where they would throw, and with a pause for other work in large answers. */
function withoutThrowing(stream: Duplex): Duplex {
  let read = 0;
  const pauseAfter = (bytes: number) => {
    read += bytes;
    if (read < BYTES_OF_TURN) return;
    read = 0;
    stream.pause();
    setImmediate(() => stream.resume());
  };
  const on = (event: string, listener: (...values: unknown[]) => void) =>
    stream.on(event, (...values) => {
      try {
        listener(...values);
        if (event === 'data') pauseAfter((values[0] as Buffer).length);
      } catch (error) {
        stream.destroy(protocolError(error));
      }
    });
  return { on } as unknown as Duplex;
}

const protocolError = (cause?: unknown) =>
  toError(PROTOCOL_VIOLATION, 'What the database sent is not its protocol.', cause);

const toError = (code: string, message: string, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { code });
