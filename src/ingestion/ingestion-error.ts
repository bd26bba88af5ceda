import type { DocumentFailure } from '../../db/schema.js';
import { isOutage } from '../errors.js';

/** Why a document could not be processed; `message` is one sentence that tells its owner what to do. */
export class IngestionError extends Error {
  override readonly name: string = 'IngestionError';

  constructor(
    readonly code: string,
    message: string,
    /** Whether the same may succeed later. */
    readonly retryable = false,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A part of the service was away, which says nothing of the document: such a try does not count. */
export class ServiceOutageError extends IngestionError {
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(code, message, true, options);
  }
}

export const isServiceOutage = (error: unknown): boolean =>
  error instanceof ServiceOutageError || isOutage(error);

/** What is recorded of a failure. Errors that nobody foresaw are worth another try, but not their details. */
export function toDocumentFailure(error: unknown, stage: DocumentFailure['stage']): DocumentFailure {
  if (error instanceof IngestionError) {
    return { code: error.code, stage, message: error.message, retryable: error.retryable };
  }
  const message = isOutage(error)
    ? 'A part of the service was away; processing is tried again.'
    : 'Processing failed unexpectedly; the log of the server says more.';
  return { code: 'internal', stage, message, retryable: true };
}
