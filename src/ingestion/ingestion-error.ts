import type { DocumentFailure } from '../../db/schema.js';
import { isOutage } from '../errors.js';

/** Why a document could not be processed; `message` is for the person who gave it. */
export class IngestionError extends Error {
  override readonly name: string = 'IngestionError';

  constructor(
    readonly code: string,
    message: string,
    readonly retryable = false,
  ) {
    super(message);
  }
}

/** What is recorded of a failure. Errors that nobody foresaw are worth another try, but not their details. */
export function toFailure(error: unknown, stage: string): DocumentFailure {
  const known = error as { code?: unknown; message?: unknown; retryable?: unknown };
  if (typeof known?.code === 'string' && typeof known.retryable === 'boolean') {
    return { code: known.code, stage, message: String(known.message), retryable: known.retryable };
  }
  const message = isOutage(error)
    ? 'A part of the service was away; processing is tried again.'
    : 'Processing failed unexpectedly; the log of the server says more.';
  return { code: 'internal', stage, message, retryable: true };
}
