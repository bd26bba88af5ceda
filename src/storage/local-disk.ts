import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { makeFolder, PRIVATE } from '../../db/folders.js';
import { type ByteRange, type FileStorage, isKey } from './file-storage.js';
import { fileNotFoundError, measureUpload, toStorageError, toWriteError } from './storage-error.js';

const PARTIAL = '.partial';

/** Files in a folder, spread over 256 subfolders by the first two characters of their random names. */
export function createLocalDisk(root: string): FileStorage {
  const pathOf = (key: string) => path.join(root, key.slice(0, 2), key);

  return {
    location: root,

    async write(source, { maxBytes, key = randomUUID() }) {
      const target = pathOf(key);
      // Named anew: another write of this key may have been killed.
      const partial = path.join(path.dirname(target), randomUUID() + PARTIAL);
      const { bytes, result } = measureUpload(source, maxBytes);
      try {
        await makeFolder(path.dirname(target), PRIVATE);
        await writeFile(partial, bytes);
        await rename(partial, target);
      } catch (error) {
        await rm(partial, { force: true }).catch(() => {});
        throw toWriteError(error);
      }
      return { key, ...result() };
    },

    read: (key, range) => Readable.from(readFile(pathOf(key), range), { objectMode: false }),
    pathOf,

    async remove(key) {
      try {
        await unlink(pathOf(key));
        return true;
      } catch (error) {
        if (isAbsent(error)) return false;
        throw toStorageError(error);
      }
    },

    async *list() {
      for await (const file of filesIn(root)) {
        if (isKey(path.basename(file.path))) yield { key: path.basename(file.path), modified: file.modified };
      }
    },

    async removeAbandoned(before) {
      for await (const file of filesIn(root)) {
        const isPartial = file.path.endsWith(PARTIAL) && isKey(path.basename(file.path, PARTIAL));
        if (isPartial && file.modified < before) await rm(file.path, { force: true });
      }
    },
  };
}

async function writeFile(target: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(target, 'wx', 0o600);
  try {
    for await (const part of bytes) await file.writeFile(part);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function* readFile(source: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(source, range && { start: range.start, end: range.end - 1 });
  } catch (error) {
    throw isAbsent(error) ? fileNotFoundError() : toStorageError(error);
  }
}

/** What lies in the subfolders. Files come and go meanwhile; what has gone is left out. */
async function* filesIn(root: string): AsyncGenerator<{ path: string; modified: Date }> {
  for (const folder of await readdir(root).catch(nothingIfAbsent)) {
    if (!/^[0-9a-f]{2}$/.test(folder)) continue;
    for (const name of await readdir(path.join(root, folder)).catch(nothingIfAbsent)) {
      const file = path.join(root, folder, name);
      const found = await stat(file).catch(() => undefined);
      if (found?.isFile()) yield { path: file, modified: found.mtime };
    }
  }
}

function nothingIfAbsent(error: unknown): string[] {
  if (isAbsent(error)) return [];
  throw toStorageError(error);
}

const isAbsent = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';
