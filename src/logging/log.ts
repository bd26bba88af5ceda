import { type DestinationStream, type Logger, pino } from 'pino';
import { currentRequest } from '../request-context.js';
import { createRedactor } from './redact.js';
import { serializeError, serializeStderr } from './serialize-error.js';

export interface LogOptions {
  level: string;
  /** Values to redact besides those with a known pattern: configured passwords and keys. */
  secrets?: (string | undefined)[];
  /** Standard output where absent. */
  destination?: DestinationStream;
}

/** The server's log: JSON lines with the id of the request, without secrets and tenant data. */
export function createLog({ level, secrets = [], destination }: LogOptions): Logger {
  const options = {
    level,
    serializers: { err: serializeError, lastWords: serializeStderr },
    mixin: () => {
      const request = currentRequest();
      return request ? { requestId: request.requestId } : {};
    },
    hooks: { streamWrite: createRedactor(secrets) },
  };
  return destination ? pino(options, destination) : pino(options);
}
