import type { StorageType } from '../../../../db/enums.js';
import { abortable } from '../../../async/timeouts.js';
import { tooLargeMessage } from '../../../outbound-http/too-large-message.js';
import { isBucketName, isObjectPath } from '../../../storage/object-address.js';
import { IngestionError } from '../../ingestion-error.js';
import { createBucketAllowlist, type IsObjectAllowed } from './bucket-allowlist.js';
import { createGcsReader } from './gcs-reader.js';
import type {
  ObjectAddress,
  ObjectContent,
  ObjectErrorReason,
  ObjectReader,
  ObjectRef,
  OpenObjectOptions,
} from './object-reader.js';
import { createS3Reader } from './s3-reader.js';

/** An object of a bucket; its body is to be consumed or closed. */
export type ObjectSource = Omit<ObjectContent, 'body' | 'size'> & { body: AsyncIterable<Uint8Array> };

/**
 * Opens an object of a bucket.
 *
 * @returns undefined when the object is still the version that was read before
 * @throws IngestionError, also while the body is read; the caller's own abort reason when `signal` fires
 */
export type OpenObject = (object: ObjectRef, options: OpenObjectOptions) => Promise<ObjectSource | undefined>;

/**
 * @param isAllowed which objects may be opened
 * @param s3Endpoint endpoint of an S3-compatible server
 * @param idleMs idle timeout in milliseconds
 */
export function createOpenObject({
  isAllowed = createBucketAllowlist(),
  s3Endpoint,
  idleMs,
}: {
  isAllowed?: IsObjectAllowed;
  s3Endpoint?: string | undefined;
  idleMs?: number;
} = {}): OpenObject {
  const readers: Record<StorageType, ObjectReader> = {
    s3: createS3Reader({ endpoint: s3Endpoint, ...(idleMs && { idleMs }) }),
    gcs: createGcsReader({ ...(idleMs && { idleMs }) }),
  };

  return async function openObject({ storageType, ...address }, options) {
    assertAddress(address);
    if (!isAllowed({ storageType, ...address })) throw bucketNotAllowedError(address);
    const reader = readers[storageType];
    const fail = (error: unknown): never => {
      options.signal?.throwIfAborted();
      throw toIngestionError(reader.classifyError(error), address, reader);
    };
    const opened = await abortable(options.signal, reader.open(address, options)).catch(fail);
    if (!opened) return undefined;
    const { body, size = 0, ...metadata } = opened;
    if (size > options.maxBytes) {
      body.destroy();
      throw new IngestionError('too_large', tooLargeMessage(options.maxBytes));
    }
    return { ...metadata, body: mapErrors(body, fail) };
  };
}

/** Checked here, too: rows may be older than the check at registration, or come from a backup. */
function assertAddress({ bucket, path }: ObjectAddress): void {
  if (!isBucketName(bucket)) {
    throw new IngestionError('not_found', `${bucket} is not the name of a bucket; check storageBucket.`);
  }
  if (!isObjectPath(path)) {
    throw new IngestionError('not_found', `${path} is not the name of an object; check storagePath.`);
  }
}

function bucketNotAllowedError({ bucket, path }: ObjectAddress): IngestionError {
  const message = `This server does not read ${path} from the bucket ${bucket}; ask who runs it to allow the bucket (SOURCE_BUCKETS), or upload the file.`;
  return new IngestionError('bucket_not_allowed', message);
}

async function* mapErrors(body: AsyncIterable<Uint8Array>, fail: (error: unknown) => never) {
  try {
    yield* body;
  } catch (error) {
    fail(error);
  }
}

function toIngestionError(
  reason: ObjectErrorReason,
  { bucket, path }: ObjectAddress,
  store: ObjectReader,
): IngestionError {
  switch (reason) {
    case 'no_bucket':
      return new IngestionError(
        'not_found',
        `${store.displayName} has no bucket ${bucket}; check storageBucket.`,
      );
    case 'no_object':
      return new IngestionError('not_found', `The bucket ${bucket} holds no ${path}; check storagePath.`);
    case 'archived':
      return new IngestionError('archived', `${path} in the bucket ${bucket} is archived; restore it first.`);
    case 'denied': {
      const whom = `give the server credentials that may read it (${store.credentialsHint})`;
      return new IngestionError(
        'access_denied',
        `Access to ${path} in the bucket ${bucket} is denied; ${whom}.`,
      );
    }
    case 'no_credentials': {
      const how = `give it some that may read the bucket ${bucket} (${store.credentialsHint})`;
      return new IngestionError(
        'access_denied',
        `The server has no credentials for ${store.displayName}; ${how}.`,
      );
    }
    case 'timeout':
      return new IngestionError(
        'timeout',
        `${store.displayName} took too long to answer; try again later.`,
        true,
      );
    case 'unreachable':
      return new IngestionError(
        'unreachable',
        `${store.displayName} could not be reached; try again later.`,
        true,
      );
  }
}
