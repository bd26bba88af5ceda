import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { File } from '@google-cloud/storage';
import { readWithIdleTimeout, writeWithIdleTimeout } from '../async/timeouts.js';
import type { ByteRange, FileStorage } from './file-storage.js';
import { createGcsClient, GCS_IDLE_MS, type GcsOptions } from './gcs-client.js';
import { lazy } from './lazy.js';
import { createObjectNames } from './object-names.js';
import { fileNotFoundError, measureUpload, toStorageError, toWriteError } from './storage-error.js';

/** What is smaller goes in one request; an upload holds at most so much in memory. A multiple of 256 KiB. */
const CHUNK_BYTES = 8 * 1024 * 1024;
/** A chunk goes as a whole, which takes longer than the next byte does. */
const CHUNK_PATIENCE = 3;
/** With it a request can be repeated safely: names are new every time. */
const ONLY_NEW = { preconditionOpts: { ifGenerationMatch: 0 } };

/** Files as objects of a Google Cloud Storage bucket. An object is there when its upload is complete. */
export function createGcsStorage(
  { bucket, prefix }: { bucket: string; prefix: string },
  options: GcsOptions = {},
): FileStorage {
  const { idleMs = GCS_IDLE_MS } = options;
  const openBucket = lazy(async () => (await createGcsClient(options)).bucket(bucket));
  const { start, nameOf, keyOf } = createObjectNames(prefix);
  const fileOf = async (key: string) => (await openBucket()).file(nameOf(key));

  async function* readObject(key: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
    const part = range && { start: range.start, end: range.end - 1 };
    try {
      yield* readWithIdleTimeout(idleMs, (await fileOf(key)).createReadStream(part));
    } catch (error) {
      throw (error as { code?: unknown }).code === 404 ? fileNotFoundError() : toStorageError(error);
    }
  }

  return {
    location: `gs://${bucket}/${prefix}`,

    async write(source, { maxBytes, key: given }) {
      const key = given ?? randomUUID();
      const { bytes, result } = measureUpload(source, maxBytes);
      try {
        const file = await fileOf(key);
        // Only a new object can be written by a request that may be repeated.
        if (given) await file.delete({ ignoreNotFound: true });
        await writeObject(file, bytes, idleMs);
      } catch (error) {
        throw toWriteError(error);
      } finally {
        await bytes.return(undefined);
      }
      return { key, ...result() };
    },

    read: (key, range) => Readable.from(readObject(key, range), { objectMode: false }),

    async remove(key) {
      const file = await fileOf(key);
      try {
        await file.delete();
        return true;
      } catch (error) {
        if ((error as { code?: unknown }).code === 404) return false;
        throw toStorageError(error);
      }
    },

    async *list() {
      const files = (await openBucket()).getFilesStream({ prefix: start });
      for await (const { name, metadata } of files as AsyncIterable<File>) {
        const key = keyOf(name);
        if (key && metadata.updated) yield { key, modified: new Date(metadata.updated) };
      }
    },

    // Google drops an upload that nobody completes after a week, and charges nothing for it.
    async removeAbandoned() {},
  };
}

async function writeObject(file: File, bytes: AsyncGenerator<Uint8Array>, idleMs: number): Promise<void> {
  const head: Uint8Array[] = [];
  let length = 0;
  while (length < CHUNK_BYTES) {
    const { done, value } = await bytes.next();
    if (done) return file.save(Buffer.concat(head), { ...ONLY_NEW, resumable: false });
    head.push(value);
    length += value.byteLength;
  }
  const all = async function* () {
    yield* head.splice(0);
    yield* bytes;
  };
  await writeWithIdleTimeout(
    CHUNK_PATIENCE * idleMs,
    all(),
    file.createWriteStream({ ...ONLY_NEW, resumable: true, chunkSize: CHUNK_BYTES }),
  );
}
