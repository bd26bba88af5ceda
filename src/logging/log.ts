import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, type Logger, pino } from 'pino';
import { createRedactor } from './redact.js';
import { serializeError, serializeStderr } from './serialize-error.js';

const requests = new AsyncLocalStorage<string>();

/** Everything that `work` logs, also asynchronously, has this `requestId`. */
export const withRequestId = <T>(requestId: string, work: () => T): T => requests.run(requestId, work);

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
    mixin: () => {
      const requestId = requests.getStore();
      return requestId === undefined ? {} : { requestId };
    },
    hooks: { streamWrite: createRedactor(secrets) },
  };
  return destination ? pino(options, destination) : pino(options);
}
