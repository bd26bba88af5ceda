import { Readable } from 'node:stream';
import { readWithIdleTimeout } from '../../../async/timeouts.js';
import { createGcsClient, GCS_IDLE_MS, type GcsOptions } from '../../../storage/gcs-client.js';
import { lazy } from '../../../storage/lazy.js';
import { isTimeout, type ObjectReader } from './object-reader.js';

/** Opens objects of Google Cloud Storage. */
export function createGcsReader(options: GcsOptions = {}): ObjectReader {
  const { idleMs = GCS_IDLE_MS } = options;
  const client = lazy(() => createGcsClient(options));
  return {
    displayName: 'Google Cloud Storage',
    credentialsHint: 'GOOGLE_APPLICATION_CREDENTIALS, or a service account',

    async open({ bucket, path }, { etag }) {
      const inBucket = (await client()).bucket(bucket);
      const [metadata] = await inBucket.file(path).getMetadata();
      if (etag !== undefined && metadata.etag === etag) return undefined;
      // The very version that was described, though a newer one may have come.
      const version = inBucket.file(path, {
        ...(metadata.generation && { generation: metadata.generation }),
      });
      return {
        body: Readable.from(readWithIdleTimeout(idleMs, version.createReadStream()), { objectMode: false }),
        // Google unpacks what was stored packed, and then its size is another one.
        ...(metadata.contentEncoding !== 'gzip' && { size: Number(metadata.size) }),
        mediaType: metadata.contentType,
        ...(metadata.updated && { lastModified: new Date(metadata.updated) }),
        etag: metadata.etag,
      };
    },

    classifyError(error) {
      if (isTimeout(error)) return 'timeout';
      const { code, message = '' } = error as { code?: unknown; message?: string };
      if (
        /default credentials|GOOGLE_APPLICATION_CREDENTIALS|does not exist, or it is not a file/.test(message)
      )
        return 'no_credentials';
      if (code === 404) return /bucket does not exist/i.test(message) ? 'no_bucket' : 'no_object';
      return code === 401 || code === 403 ? 'denied' : 'unreachable';
    },
  };
}
