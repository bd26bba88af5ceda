import { Readable } from 'node:stream';
import { invalid } from '../errors/errors.js';
import { type FileStorage, isKey } from './file-storage.js';
import { fileNotFoundError } from './storage-error.js';

/**
 * A storage that has no files but those with keys of the form that it makes. Keys come from rows, and rows from a restored
 * backup: another key could name a file outside of the storage.
 */
export function guardKeys(storage: FileStorage): FileStorage {
  const { pathOf } = storage;
  return {
    ...storage,
    async write(source, options) {
      if (options.key !== undefined && !isKey(options.key)) {
        throw invalid(`No file is stored as ${JSON.stringify(options.key)}: this is no key of the storage.`, [
          'key',
        ]);
      }
      return storage.write(source, options);
    },
    read: (key, range) => (isKey(key) ? storage.read(key, range) : Readable.from(nothing())),
    remove: async (key) => isKey(key) && storage.remove(key),
    ...(pathOf && {
      pathOf(key: string) {
        if (!isKey(key)) throw fileNotFoundError();
        return pathOf(key);
      },
    }),
  };
}

// biome-ignore lint/correctness/useYield: it fails before there is anything.
async function* nothing(): AsyncGenerator<Uint8Array> {
  throw fileNotFoundError();
}
