import { Logger as QueueLogger } from 'graphile-worker';
import type { Logger } from 'pino';

/** Where the queue's own words end, and those of an error begin. */
const ERROR_FOLLOWS = /: | with error | after failure |\n/;

/**
 * The queue's messages in our log. It writes errors into them, which may quote what a document holds; the log has its
 * own way to tell of errors.
 */
export const createQueueLog = (log: Logger): QueueLogger =>
  new QueueLogger(() => (level, message, meta) => {
    const [what] = message.split(ERROR_FOLLOWS);
    const err = meta?.error ?? meta?.fatalError;
    log[level === 'error' ? 'warn' : 'debug'](err === undefined ? {} : { err }, what);
  });
