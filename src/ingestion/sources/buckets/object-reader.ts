import type { Readable } from 'node:stream';
import type { StorageType } from '../../../../db/enums.js';

export interface ObjectAddress {
  bucket: string;
  path: string;
}

/** An object of a bucket of one of the stores. */
export interface ObjectRef extends ObjectAddress {
  storageType: StorageType;
}

export interface ObjectContent {
  body: Readable;
  /** Of the body, where it is known. */
  size?: number | undefined;
  mediaType?: string | undefined;
  lastModified?: Date | undefined;
  etag?: string | undefined;
}

export interface OpenObjectOptions {
  maxBytes: number;
  /** ETag of the version read before; if it still matches, nothing is opened. */
  etag?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Why an object cannot be read; `unreachable` covers all temporary errors. */
export type ObjectErrorReason =
  | 'no_bucket'
  | 'no_object'
  | 'archived'
  | 'denied'
  | 'no_credentials'
  | 'timeout'
  | 'unreachable';

/** Opens objects of one kind of store and classifies its errors. */
export interface ObjectReader {
  /** Undefined when the object is still the version that was read before. */
  open(address: ObjectAddress, options: OpenObjectOptions): Promise<ObjectContent | undefined>;
  classifyError(error: unknown): ObjectErrorReason;
  /** For messages: name of the store and where its credentials come from. */
  displayName: string;
  credentialsHint: string;
}

/** Whether an error is a timeout of a socket, an SDK or `withTimeout`. */
export function isTimeout(error: unknown): boolean {
  const { name, code, type } = (error ?? {}) as Record<string, unknown>;
  return name === 'TimeoutError' || code === 'ETIMEDOUT' || type === 'request-timeout';
}
