import { type DestinationStream, type Logger, pino } from 'pino';
import sonicBoom from 'sonic-boom';
import { createRedactor } from './redact.js';
import { serializeError, serializeStderr } from './serialize-error.js';

export interface LogOptions {
  level: string;
  /** Values to redact besides those with a known pattern: configured passwords and keys. */
  secrets?: (string | undefined)[];
  /** Standard output where absent. */
  destination?: DestinationStream;
  /** Fields of each line, as it is written. */
  mixin?: () => object;
}

/** The server's log: JSON lines, without secrets and tenant data. */
export function createLog({ level, secrets = [], destination, mixin }: LogOptions): Logger {
  const options = {
    level,
    ...(mixin && { mixin }),
    serializers: { err: serializeError, lastWords: serializeStderr },
    hooks: { streamWrite: createRedactor(secrets) },
  };
  return pino(options, destination ?? openStandardOutput());
}

/** What cannot be written, as to a full disk, is written later; lines beyond this length are dropped. */
const MAX_WAITING_LENGTH = 2 ** 20;

/**
 * Not pino's own destination: at the end of the process that tries for ever to write what a full disk or a closed pipe
 * does not take.
 */
function openStandardOutput(): DestinationStream {
  const stream = new sonicBoom.SonicBoom({
    fd: process.stdout.fd ?? 1,
    sync: false,
    maxLength: MAX_WAITING_LENGTH,
  });
  // An error that nobody hears would end the process.
  stream.on('error', () => {});
  process.on('exit', () => {
    try {
      stream.flushSync();
    } catch {
      // What cannot be written is lost.
    }
  });
  return stream;
}
