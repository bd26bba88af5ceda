import { type DestinationStream, type Logger, pino } from 'pino';
import { createRedactor } from './redact.js';
import { serializeError, serializeStderr } from './serialize-error.js';

export interface LogOptions {
  level: string;
  /** Values to redact besides those with a known pattern: configured passwords and keys. */
  secrets?: (string | undefined)[];
  /** Standard output where absent. */
  destination?: DestinationStream;
}

/** The server's log: JSON lines, without secrets and tenant data. */
export function createLog({ level, secrets = [], destination }: LogOptions): Logger {
  const options = {
    level,
    serializers: { err: serializeError, lastWords: serializeStderr },
    hooks: { streamWrite: createRedactor(secrets) },
  };
  return destination ? pino(options, destination) : pino(options);
}
