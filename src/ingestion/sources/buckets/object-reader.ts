import type { Readable } from 'node:stream';

export interface ObjectAddress {
  bucket: string;
  path: string;
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
  /** Of the version that was read before, which is not opened again. */
  etag?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** What can be wrong with an object or its store; `unreachable` is everything that may pass. */
export type ObjectErrorReason =
  | 'no_bucket'
  | 'no_object'
  | 'archived'
  | 'denied'
  | 'no_credentials'
  | 'timeout'
  | 'unreachable';

/** How one kind of store opens an object, and what its errors mean. */
export interface ObjectReader {
  /** Undefined when the object is still the version that was read before. */
  open(address: ObjectAddress, options: OpenObjectOptions): Promise<ObjectContent | undefined>;
  classifyError(error: unknown): ObjectErrorReason;
  /** For sentences: the store's name, and how the server is given credentials for it. */
  displayName: string;
  credentialsHint: string;
}

/** Whether nothing came in time, as sockets, the SDKs and we ourselves call it. */
export function isTimeout(error: unknown): boolean {
  const { name, code, type } = (error ?? {}) as Record<string, unknown>;
  return name === 'TimeoutError' || code === 'ETIMEDOUT' || type === 'request-timeout';
}
