import type { ErrorType } from './error-types.js';

/** A path into the input of a procedure: `['documentIds', 2]`. */
export type InputPath = readonly (string | number)[];

export type ErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'misdirected'
  | 'not_found'
  | 'conflict'
  | 'precondition_failed'
  | 'invalid'
  | 'too_large'
  | 'too_many_requests'
  | 'unavailable';

/**
 * An error for the client. Its message never contains data of another tenant: a missing id and another
 * tenant's id give the same error.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly path: InputPath = [],
    /** Stable machine-readable type; defaults to the code. */
    readonly type: ErrorType = code,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Never says what is wrong with a key. */
export const unauthorized = () =>
  new DomainError('unauthorized', 'A valid API key is needed, in X-Api-Key or as a bearer token.', [
    'X-Api-Key',
  ]);

export const forbidden = (message: string, path: InputPath = []) =>
  new DomainError('forbidden', message, path);

/** For a host that is not this server's. */
export const misdirected = (message: string, path: InputPath) =>
  new DomainError('misdirected', message, path);

export const preconditionFailed = (message: string) => new DomainError('precondition_failed', message);

export const tooManyRequests = (message: string, type: ErrorType = 'too_many_requests') =>
  new DomainError('too_many_requests', message, [], type);

export const notFound = (what: string, path: InputPath) =>
  new DomainError('not_found', `${what} not found.`, path);

export const conflict = (message: string, path: InputPath, type: ErrorType = 'conflict') =>
  new DomainError('conflict', message, path, type);

export const invalid = (message: string, path: InputPath, type: ErrorType = 'value_error') =>
  new DomainError('invalid', message, path, type);

export const tooLarge = (message: string, path: InputPath) => new DomainError('too_large', message, path);

export const unavailable = (message: string, cause?: unknown) =>
  new DomainError('unavailable', message, [], 'unavailable', { cause });

/** Of sockets and their encryption, and of disks and processes that have run out of something. */
const SYSTEM_OUTAGE =
  /^(ECONN\w+|EPIPE|EPROTO|ERR_SSL_\w+|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST\w+|ENET\w+|ENOSPC|EDQUOT|EROFS|EIO|ENOMEM|EMFILE|ENFILE)$/;
/**
 * PostgreSQL's classes 08 (connection), 28 (login refused), 40 (rolled back for another), 53 (resources), 57P (operator
 * intervention) and 58 (system), a database that is not there, one that is read-only, a transaction that was ended for
 * being idle, and a lock that was not available.
 */
const DATABASE_OUTAGE = /^(08...|25006|25P0[34]|28...|3D000|40...|53...|55P03|57P0[1-5]|58...)$/;
/** pg gives these no code, and Citus a general one to a node that it has lost when it committed, and to a server that ends. */
const OUTAGE_MESSAGE =
  /could not commit transaction for shard|postmaster was shut down|failure on connection marked as essential|timeout exceeded when trying to connect|timeout expired|Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|SSL connection|Received unexpected \w+ message|Cannot use a pool after calling end/;

/** `Retry-After` of answers during an outage. */
export const RETRY_AFTER_SECONDS = 2;

/** Whether an error means that a server we depend on is unavailable, so that a retry may succeed. */
export function isOutage(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isOutage);
  if (!(error instanceof Error)) return false;
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  // A migration has changed what a prepared statement returns, in the middle of a transaction.
  if (code === '0A000' && routine === 'RevalidateCachedQuery') return true;
  if (typeof code === 'string' && (SYSTEM_OUTAGE.test(code) || DATABASE_OUTAGE.test(code))) return true;
  return OUTAGE_MESSAGE.test(error.message);
}

/** Whether PostgreSQL cancelled a statement: at its time limit, or because its client had disconnected. */
export const isCancelledStatement = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === '57014';

/** pg's own message; it gives this error no code. */
const POOL_EXHAUSTED = 'timeout exceeded when trying to connect';

export const poolExhausted = (): Error => new Error(POOL_EXHAUSTED);

/** Whether no connection of a pool became free in time. */
export const isPoolExhausted = (error: unknown): boolean =>
  error instanceof Error && error.message === POOL_EXHAUSTED;

/** Whether PostgreSQL rejected a value: class 22 (data exception) or 54 (limit exceeded). */
export function isDataException(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^(22|54)...$/.test(code);
}
