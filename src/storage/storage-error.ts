import { DomainError, notFound, tooLarge, unavailable } from '../errors.js';
import { measure, SourceFailure } from './measure.js';

/** What a caller of the storage is told of a failed write. A failure of what was to be stored stays as it was. */
export function writeError(error: unknown): unknown {
  if (error instanceof SourceFailure) return error.cause;
  return unavailable(
    'The file could not be stored, because the file storage is away or full; try again later.',
    error,
  );
}

/** What a caller of the storage is told when a file cannot be read, removed or listed. */
export function storageError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  return unavailable('The file storage does not answer as it should; try again later.', error);
}

export const noSuchFile = () => notFound('File', ['file']);

/** Measures what is to be stored, and refuses it above the limit. */
export const measureUpload = (source: AsyncIterable<Uint8Array>, maxBytes: number) =>
  measure(source, {
    maxBytes,
    tooLarge: () => tooLarge(`The file is larger than ${maxBytes} bytes.`, ['file']),
  });
