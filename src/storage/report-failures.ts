import { finished } from 'node:stream';
import type { Logger } from 'pino';
import { DomainError } from '../errors/errors.js';
import type { FileStorage } from './file-storage.js';

const WARN_INTERVAL_MS = 10_000;

export type StorageOperation = 'write' | 'read' | 'remove';

interface ReportFailuresOptions {
  log: Logger;
  /** Called for each. */
  onFailure: (operation: StorageOperation) => void;
}

/** A storage whose outages are counted, and logged with their cause at most every ten seconds. */
export function reportFailures(storage: FileStorage, { log, onFailure }: ReportFailuresOptions): FileStorage {
  let warnedAt = Number.NEGATIVE_INFINITY;
  const report = (operation: StorageOperation, error: unknown) => {
    if (!(error instanceof DomainError && error.code === 'unavailable')) return;
    onFailure(operation);
    if (performance.now() - warnedAt < WARN_INTERVAL_MS) return;
    warnedAt = performance.now();
    log.warn({ operation, storage: storage.location, err: error.cause ?? error }, 'the file storage fails');
  };
  const reported = <T>(operation: StorageOperation, result: Promise<T>): Promise<T> =>
    result.catch((error) => {
      report(operation, error);
      throw error;
    });
  return {
    ...storage,
    write: (source, options) => reported('write', storage.write(source, options)),
    read(key, range) {
      const stream = storage.read(key, range);
      finished(stream, (error) => report('read', error));
      return stream;
    },
    remove: (key) => reported('remove', storage.remove(key)),
  };
}
