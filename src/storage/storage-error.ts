import { DomainError, notFound, tooLarge, unavailable } from '../errors/errors.js';
import { measureStream, SourceStreamError } from './measure-stream.js';

/** Converts the error of a failed write. Errors of the source stream are passed on unchanged. */
export function toWriteError(error: unknown): unknown {
  if (error instanceof SourceStreamError) return error.cause;
  return unavailable(
    'The file could not be stored, because the file storage is away or full; try again later.',
    error,
  );
}

/** Converts the error of reading, removing or listing a file. */
export function toStorageError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  return unavailable('The file storage does not work properly at the moment; try again later.', error);
}

export const fileNotFoundError = () => notFound('File', ['file']);

/** Measures what is to be stored, and refuses it above the limit. */
export const measureUpload = (source: AsyncIterable<Uint8Array>, maxBytes: number) =>
  measureStream(source, {
    maxBytes,
    tooLarge: () => tooLarge(`The file is larger than ${maxBytes} bytes.`, ['file']),
  });
