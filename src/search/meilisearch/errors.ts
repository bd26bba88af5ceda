import { MeilisearchApiError, MeilisearchRequestError, type Task } from 'meilisearch';
import { ZodError } from 'zod';
import { unavailable } from '../../errors/errors.js';

/** An answer that is too large to be read. */
export class UnusableAnswerError extends Error {
  override readonly name = 'UnusableAnswerError';

  constructor(what: string) {
    super(`The search server's answer has ${what}. Check that MEILI_URL names a Meilisearch server.`);
  }
}

/** Without what the client wraps around the errors of our way to read answers. */
function unwrap(error: unknown): unknown {
  const isWrapped =
    error instanceof MeilisearchRequestError &&
    [MeilisearchApiError, SyntaxError, UnusableAnswerError].some((type) => error.cause instanceof type);
  return isWrapped ? error.cause : error;
}

/** The answer of the search server, if it is an error. */
function toApiError(error: unknown): MeilisearchApiError | undefined {
  const thrown = unwrap(error);
  return thrown instanceof MeilisearchApiError ? thrown : undefined;
}

/** Whether the search server answered with one of its own error codes. */
export const isApiError = (error: unknown, ...codes: string[]): boolean =>
  codes.includes(toApiError(error)?.cause?.code ?? '');

/** Whether the search server rejected the documents of a request, rather than being unavailable or denying access. */
export const isRejectedRequest = (error: unknown): boolean =>
  [400, 413, 415].includes(toApiError(error)?.response.status ?? 0);

export const isAuthError = (error: unknown): boolean =>
  [401, 403].includes(toApiError(error)?.response.status ?? 0);

/** A message for operators that says what to do. */
export function toOperatorMessage(thrown: unknown): string {
  const error = unwrap(thrown);
  if (error instanceof MeilisearchApiError) {
    const { code, message } = error.cause ?? {};
    if (code === 'index_not_found') return `${message} Make it with: lectern search reindex`;
    if (isAuthError(error)) {
      return `The search server refuses the key (${message ?? error.message}). See: lectern search keys`;
    }
    return message
      ? `The search server says: ${message}`
      : `The search server answers ${error.response.status}.`;
  }
  if (error instanceof MeilisearchRequestError) {
    return `The search server cannot be reached (${deepestReason(error)}). Check MEILI_URL, and whether it runs.`;
  }
  // The error page of a proxy is not JSON; other servers answer other JSON.
  if (error instanceof SyntaxError || error instanceof ZodError) {
    return 'What answers at MEILI_URL is no Meilisearch server, or one behind a proxy that fails.';
  }
  return error instanceof Error ? error.message : String(error);
}

function deepestReason(error: Error): string {
  const { cause } = error;
  return cause instanceof Error ? deepestReason(cause) : error.message || error.name;
}

/** A task that failed or was canceled. */
export class TaskFailedError extends Error {
  override readonly name = 'TaskFailedError';
  readonly code: string;

  constructor(readonly task: Task) {
    super(`Task ${task.uid} ${task.status}: ${task.error?.message ?? 'no reason given'}`);
    this.code = task.error?.code ?? '';
  }

  /** Whether the documents may be the cause, which they are not of a full disk. */
  get mayBeCausedByDocuments(): boolean {
    return this.task.status === 'failed' && !SERVER_ERROR_CODES.has(this.code);
  }
}

const SERVER_ERROR_CODES = new Set([
  'no_space_left_on_device',
  'io_error',
  'database_size_limit_reached',
  'too_many_open_files',
  'index_not_found',
]);

/** Error of searches while the index is unavailable. */
export const searchUnavailable = (cause: unknown) =>
  unavailable('Search is unavailable at the moment; try again.', cause);
