import { fileURLToPath } from 'node:url';
import type { FileStorage } from './file-storage.js';
import { createGcsStorage } from './gcs.js';
import { guardKeys } from './guard-keys.js';
import { createLocalDisk } from './local-disk.js';
import { createS3Storage } from './s3.js';

export interface StorageOptions {
  /** Another S3 server than Amazon's. */
  s3Endpoint?: string | undefined;
  /** How long a bucket's server may be silent, in milliseconds. */
  idleMs?: number;
}

/**
 * The storage that a URL names: `file:/folder`, `s3://bucket/prefix` or `gs://bucket/prefix`. Nothing is contacted
 * before it is used.
 */
export const openStorage = (url: string, options: StorageOptions = {}): FileStorage =>
  guardKeys(openBackend(url, options));

function openBackend(url: string, { s3Endpoint, idleMs }: StorageOptions): FileStorage {
  if (url.startsWith('file:')) return createLocalDisk(fileURLToPath(url));
  const [, scheme, bucket, prefix = ''] = /^(s3|gs):\/\/([^/]+)(?:\/(.*))?$/.exec(url) ?? [];
  if (!bucket) throw new Error(`Not the URL of a file storage: ${url}`);
  const idle = idleMs === undefined ? {} : { idleMs };
  if (scheme === 's3') return createS3Storage({ bucket, prefix }, { endpoint: s3Endpoint, ...idle });
  return createGcsStorage({ bucket, prefix }, idle);
}
