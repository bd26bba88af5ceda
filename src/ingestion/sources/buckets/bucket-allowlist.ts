import type { StorageType } from '../../../../db/enums.js';
import { createObjectNames } from '../../../storage/object-names.js';
import type { ObjectRef } from './object-reader.js';

const SCHEMES: Record<StorageType, string> = { s3: 's3', gcs: 'gs' };

/** Whether an object may be read as a document source. */
export type IsObjectAllowed = (object: ObjectRef) => boolean;

/**
 * Tenants share the server's credentials, so the buckets they may read are restricted.
 *
 * @param allowed `s3://bucket`, `gs://bucket`, each with or without a prefix; all there is where absent
 * @param storageUrl storage of uploads, which can never be read as sources
 */
export function createBucketAllowlist({
  allowed,
  storageUrl = '',
}: {
  allowed?: string[] | undefined;
  storageUrl?: string | undefined;
} = {}): IsObjectAllowed {
  const [, store, prefix = ''] = /^\w+:\/\/([^/]+)(?:\/(.*))?$/.exec(storageUrl) ?? [];
  // Without the scheme, since one bucket may be reached as S3 and as Google Cloud Storage.
  const uploads = store && placeOf(store, createObjectNames(prefix).start);
  return ({ storageType, bucket, path }) => {
    if (uploads && placeOf(bucket, path).startsWith(uploads)) return false;
    const url = `${SCHEMES[storageType]}://${bucket}/${path}`;
    return !allowed || allowed.some((place) => url.startsWith(`${place.replace(/(?<!\/)\/+$/, '')}/`));
  };
}

/** Some servers take several slashes for one. */
const placeOf = (bucket: string, path: string): string => `${bucket}/${path}`.replace(/\/+/g, '/');
