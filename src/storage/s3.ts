import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { limitBytes } from '../async/limit-bytes.js';
import type { ByteRange, FileStorage } from './file-storage.js';
import { lazy } from './lazy.js';
import { createObjectNames } from './object-names.js';
import { abortAbandonedUploads } from './s3-abort-uploads.js';
import { createS3Client, type S3Options } from './s3-client.js';
import { fileNotFoundError, measureUpload, toStorageError, toWriteError } from './storage-error.js';

/** An upload holds at most so much in memory, times the parts that are under way. */
const PART_BYTES = 8 * 1024 * 1024;
const PARTS_AT_ONCE = 2;

const loadSdk = () => import('@aws-sdk/client-s3');

/** Files as objects of an S3 bucket. An object is there when its upload is complete, and not before. */
export function createS3Storage(
  { bucket, prefix }: { bucket: string; prefix: string },
  options: S3Options = {},
): FileStorage {
  const client = lazy(() => createS3Client(options));
  const { start, nameOf, keyOf } = createObjectNames(prefix);
  const at = (key: string) => ({ Bucket: bucket, Key: nameOf(key) });

  async function* readObject(key: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
    try {
      const { GetObjectCommand } = await loadSdk();
      const part = range && { Range: `bytes=${range.start}-${range.end - 1}` };
      const { Body } = await (await client()).send(new GetObjectCommand({ ...at(key), ...part }));
      yield* range ? limitBytes(Body as Readable, range.end - range.start, tooLong) : (Body as Readable);
    } catch (error) {
      throw (error as Error).name === 'NoSuchKey' ? fileNotFoundError() : toStorageError(error);
    }
  }

  return {
    location: `s3://${bucket}/${prefix}`,

    async write(source, { maxBytes, key = randomUUID() }) {
      const { bytes, result } = measureUpload(source, maxBytes);
      const body = Readable.from(bytes, { objectMode: false });
      // The upload reports it, unless it has failed before.
      body.on('error', () => {});
      try {
        const { Upload } = await import('@aws-sdk/lib-storage');
        const upload = new Upload({
          client: await client(),
          params: { ...at(key), Body: body },
          partSize: PART_BYTES,
          queueSize: PARTS_AT_ONCE,
        });
        await upload.done();
      } catch (error) {
        // To abort the upload may have failed as well, but what the source said counts.
        throw toWriteError(body.errored ?? error);
      } finally {
        body.destroy();
      }
      return { key, ...result() };
    },

    read: (key, range) => Readable.from(readObject(key, range), { objectMode: false }),

    async remove(key) {
      const { DeleteObjectCommand } = await loadSdk();
      const opened = await client();
      await opened
        .send(new DeleteObjectCommand(at(key)))
        .catch((error) => Promise.reject(toStorageError(error)));
      return true;
    },

    async *list() {
      const { paginateListObjectsV2 } = await loadSdk();
      const pages = paginateListObjectsV2({ client: await client() }, { Bucket: bucket, Prefix: start });
      for await (const { Contents = [] } of pages) {
        for (const { Key, LastModified } of Contents) {
          const key = keyOf(Key ?? '');
          if (key && LastModified) yield { key, modified: LastModified };
        }
      }
    },

    async removeAbandoned(before) {
      const isAbandoned = (name: string, begun: Date) => begun < before && keyOf(name) !== undefined;
      await abortAbandonedUploads(await client(), { bucket, prefix: start }, isAbandoned);
    },
  };
}

const tooLong = () => new Error('The bucket sends more of an object than it was asked for.');
