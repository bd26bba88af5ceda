import { Readable } from 'node:stream';
import { openConfiguredStorage } from '../../compose/storage.js';
import type { Config } from '../../config/config.js';
import { DomainError, unavailable } from '../../errors/errors.js';
import { nameFolder } from '../../local-files/new-folder.js';
import type { FileStorage } from '../../storage/file-storage.js';
import { explainFileError } from './explain-file-error.js';

/** The configured storage, whose outages say where and why: a command has no log that would. */
export const openCommandStorage = (config: Config, storageUrl = config.storageUrl): FileStorage =>
  explainOutages(openConfiguredStorage({ ...config, storageUrl }));

/** Clients of a server are told neither; operators are told both. */
export function explainOutages(storage: FileStorage): FileStorage {
  const explained = async <T>(result: Promise<T>): Promise<T> => {
    try {
      return await result;
    } catch (error) {
      throw explain(error, storage);
    }
  };
  const each = async function* <T>(items: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* items;
    } catch (error) {
      throw explain(error, storage);
    }
  };
  return {
    ...storage,
    write: (source, options) => explained(storage.write(source, options)),
    read: (key, range) => Readable.from(each(storage.read(key, range)), { objectMode: false }),
    remove: (key) => explained(storage.remove(key)),
    list: () => each(storage.list()),
    removeAbandoned: (before) => explained(storage.removeAbandoned(before)),
  };
}

function explain(error: unknown, { location, pathOf }: FileStorage): unknown {
  if (!(error instanceof DomainError && error.code === 'unavailable' && error.cause)) return error;
  const cause = nameFolder(error.cause, location) as Error;
  const fileError = pathOf && explainFileError(cause);
  if (fileError) return unavailable(`The file storage fails. ${fileError} ${WHERE}`, cause);
  const advice = pathOf
    ? `Check the folder and its disk. ${WHERE}`
    : 'Check STORAGE_URL, the credentials of the bucket, and what they may do.';
  return unavailable(`The file storage ${location} fails (${cause.message || cause.name}). ${advice}`, cause);
}

const WHERE = 'Files are where STORAGE_URL says, else in DATA_DIR.';
