import { FileError } from '@lectern/file-to-markdown/errors';
import type { DocumentFailure } from '../../db/schema.js';
import { isOutage } from '../errors/errors.js';
import type { FailureCode } from '../errors/failure-codes.js';
import { FetchError } from '../outbound-http/fetch-error.js';

/** Why a document could not be processed; `message` is one sentence that says what the owner can do. */
export class IngestionError extends Error {
  override readonly name: string = 'IngestionError';

  constructor(
    readonly code: FailureCode,
    message: string,
    /** Whether a retry may succeed. */
    readonly retryable = false,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A dependency of the service was unavailable: the attempt does not count. */
export class ServiceOutageError extends IngestionError {
  /** Whether something was done before, which remains: the outages so far do not count. */
  readonly hasProgress: boolean;

  constructor(
    code: FailureCode,
    message: string,
    { hasProgress = false, ...options }: ErrorOptions & { hasProgress?: boolean } = {},
  ) {
    super(code, message, true, options);
    this.hasProgress = hasProgress;
  }
}

export const isServiceOutage = (error: unknown): boolean =>
  error instanceof ServiceOutageError || isOutage(error);

/** The failure to store. Unexpected errors are retryable; their details are not exposed. */
export function toDocumentFailure(
  error: unknown,
  stage: DocumentFailure['stage'],
): DocumentFailure & { code: FailureCode } {
  if (error instanceof FileError)
    return { code: error.code, stage, message: error.message, retryable: false };
  if (error instanceof IngestionError || error instanceof FetchError) {
    return { code: error.code, stage, message: error.message, retryable: error.retryable };
  }
  const message = isOutage(error)
    ? 'A part of the service was away; processing is tried again.'
    : 'Processing failed unexpectedly; the log of the server says more.';
  return { code: 'internal', stage, message, retryable: true };
}

export const fileMissingError = () =>
  new IngestionError('file_missing', 'The uploaded file is no longer in storage; upload it again.');

export const quotaExceededError = () =>
  new IngestionError(
    'quota_exceeded',
    'This tenant has as many chunks as it may have. Delete documents, or have the quota raised, and process this one again.',
    false,
  );
