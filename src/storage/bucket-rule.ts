import { namesInBucket } from './names.js';
import type { ObjectAddress } from './object-reader.js';
import type { StorageType } from './object-source.js';

const SCHEMES: Record<StorageType, string> = { s3: 's3', gcs: 'gs' };

/** Whether a document may be made of an object. */
export type BucketRule = (address: ObjectAddress & { storageType: StorageType }) => boolean;

/**
 * Where several tenants share the server's credentials, one must not read what is another's.
 *
 * @param allowed `s3://bucket`, `gs://bucket`, each with or without a prefix; all there is where absent
 * @param storageUrl where uploads are kept: these are never read as objects
 */
export function createBucketRule({
  allowed,
  storageUrl = '',
}: {
  allowed?: string[] | undefined;
  storageUrl?: string | undefined;
} = {}): BucketRule {
  const [, store, prefix = ''] = /^(\w+:\/\/[^/]+)(?:\/(.*))?$/.exec(storageUrl) ?? [];
  const uploads = store && `${store}/${namesInBucket(prefix).start}`;
  return ({ storageType, bucket, path }) => {
    const url = `${SCHEMES[storageType]}://${bucket}/${path}`;
    if (uploads && url.startsWith(uploads)) return false;
    return !allowed || allowed.some((place) => url.startsWith(`${place.replace(/(?<!\/)\/+$/, '')}/`));
  };
}
