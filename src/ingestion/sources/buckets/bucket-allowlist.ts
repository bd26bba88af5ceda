import { createObjectNames } from '../../../storage/object-names.js';
import type { ObjectAddress } from './object-reader.js';
import type { StorageType } from './open-object.js';

const SCHEMES: Record<StorageType, string> = { s3: 's3', gcs: 'gs' };

/** Whether a document may be made of an object. */
export type IsObjectAllowed = (address: ObjectAddress & { storageType: StorageType }) => boolean;

/**
 * Where several tenants share the server's credentials, one must not read what is another's.
 *
 * @param allowed `s3://bucket`, `gs://bucket`, each with or without a prefix; all there is where absent
 * @param storageUrl where uploads are kept: these are never read as objects
 */
export function createBucketAllowlist({
  allowed,
  storageUrl = '',
}: {
  allowed?: string[] | undefined;
  storageUrl?: string | undefined;
} = {}): IsObjectAllowed {
  const [, store, prefix = ''] = /^(\w+:\/\/[^/]+)(?:\/(.*))?$/.exec(storageUrl) ?? [];
  const uploads = store && `${store}/${createObjectNames(prefix).start}`;
  return ({ storageType, bucket, path }) => {
    const url = `${SCHEMES[storageType]}://${bucket}/${path}`;
    if (uploads && url.startsWith(uploads)) return false;
    return !allowed || allowed.some((place) => url.startsWith(`${place.replace(/(?<!\/)\/+$/, '')}/`));
  };
}
