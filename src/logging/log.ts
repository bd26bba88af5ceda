import { AsyncLocalStorage } from 'node:async_hooks';
import { type DestinationStream, type Logger, pino } from 'pino';
import { createRedactor } from './redact.js';
import { serializeError, serializeStderr } from './serialize-error.js';

const requests = new AsyncLocalStorage<string>();

/** Whatever `work` logs, also later, carries the name of the request. */
export const withRequestId = <T>(requestId: string, work: () => T): T => requests.run(requestId, work);

export interface LogOptions {
  level: string;
  /** What may not stand in the log although it looks like nothing special: passwords and keys of the configuration. */
  secrets?: (string | undefined)[];
  /** Standard output where absent. */
  destination?: DestinationStream;
}

/** The server's log: a line of JSON for each event, without secrets and without anything of what tenants keep here. */
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
