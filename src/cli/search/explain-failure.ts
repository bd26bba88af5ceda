import { MeilisearchError } from 'meilisearch';
import { DomainError, unavailable } from '../../errors/errors.js';
import { TaskFailedError, toOperatorMessage } from '../../search/meilisearch/errors.js';

/** An error whose message tells an operator what is wrong, where we know it. */
export function explainFailure(error: unknown): unknown {
  if (error instanceof DomainError && error.code === 'unavailable' && error.cause) {
    return unavailable(toOperatorMessage(error.cause), error.cause);
  }
  const isServers =
    error instanceof MeilisearchError || error instanceof TaskFailedError || error instanceof SyntaxError;
  return isServers || isPlain(error) ? unavailable(toOperatorMessage(error), error) : error;
}

/** Thrown with a sentence for people, rather than by a library or by a mistake. */
const isPlain = (error: unknown): error is Error =>
  error instanceof Error && error.constructor === Error && !('code' in error);
