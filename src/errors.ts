/** A place in the caller's input, in the domain's own names: `['documentIds', 2]`. */
export type InputPath = readonly (string | number)[];

export type ErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'precondition_failed'
  | 'invalid'
  | 'too_large'
  | 'too_many_requests'
  | 'unavailable';

/**
 * What the domain refuses, and why. Its message is meant for the caller and never holds anything of another
 * tenant's: an absent id and a foreign one give the same error.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly path: InputPath = [],
    /** Stable machine word; the code itself unless something finer is known. */
    readonly type: string = code,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Nobody is told what is wrong with a key: that would help to guess one. */
export const unauthorized = () =>
  new DomainError('unauthorized', 'A valid API key is needed, in X-Api-Key or as a bearer token.', [
    'X-Api-Key',
  ]);

export const forbidden = (message: string, path: InputPath = []) =>
  new DomainError('forbidden', message, path);

export const preconditionFailed = (message: string) => new DomainError('precondition_failed', message);

export const tooManyRequests = (message: string, type = 'too_many_requests') =>
  new DomainError('too_many_requests', message, [], type);

export const notFound = (what: string, path: InputPath) =>
  new DomainError('not_found', `${what} not found.`, path);

export const conflict = (message: string, path: InputPath, type = 'conflict') =>
  new DomainError('conflict', message, path, type);

export const invalid = (message: string, path: InputPath, type = 'value_error') =>
  new DomainError('invalid', message, path, type);

export const tooLarge = (message: string, path: InputPath) => new DomainError('too_large', message, path);

export const unavailable = (message: string, cause?: unknown) =>
  new DomainError('unavailable', message, [], 'unavailable', { cause });

/**
 * Socket errors, and PostgreSQL's classes 08 (connection), 40 (rolled back for another), 53 (resources) and 57P (operator
 * intervention).
 */
const OUTAGE =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|08...|40...|53...|57P0[1-4])$/;
/** pg gives these no code. */
const OUTAGE_MESSAGE =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Cannot use a pool after calling end/;

/** How long whoever meets an outage is told to wait before another try. */
export const RETRY_AFTER_SECONDS = 2;

/** Whether an error says that a server we depend on is away, so that the same call may succeed later. */
export function isOutage(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isOutage);
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return (typeof code === 'string' && OUTAGE.test(code)) || OUTAGE_MESSAGE.test(error.message);
}

/** Whether PostgreSQL refused a value for what it is: class 22 (data exception) or 54 (limit exceeded). */
export function isDataException(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^(22|54)...$/.test(code);
}
