import type { Readable } from 'node:stream';

/** Keys are random UUIDs. */
export const FILE_KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a name is one that a storage gives to its files. */
export const isKey = (name: string): boolean => FILE_KEY.test(name);

export interface StoredFile {
  key: string;
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** Within a file: from `start` to before `end`, which is above `start` and at most the size of the file. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface WriteOptions {
  maxBytes: number;
  key?: string | undefined;
}

/**
 * Storage of uploaded files. It has no file with a key of another form than it makes. An unavailable, denied or full store
 * throws a DomainError `unavailable`.
 */
export interface FileStorage {
  /** Where it is, for people: a folder's path, or a bucket's URL. */
  location: string;
  /**
   * Stores a stream while it arrives. All or nothing: after a failure no file is left.
   *
   * @param options.key of a file that is restored, in place of one that is there; default: a new key
   * @throws DomainError `too_large` as soon as more than `maxBytes` have come; what the stream itself throws
   */
  write(source: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<StoredFile>;
  /** The stream fails with a DomainError `not_found` when there is no such file. */
  read(key: string, range?: ByteRange): Readable;
  /**
   * Idempotent.
   *
   * @returns whether it was there; S3 does not say, and without a question about each file it is taken to have been
   */
  remove(key: string): Promise<boolean>;
  /** Path of the file, for local storage only. */
  pathOf?(key: string): string;
  /** Every file that `write` has made, and nothing else that may lie in the same place. */
  list(): AsyncIterable<{ key: string; modified: Date }>;
  /** Removes what interrupted writes left behind before `before`. */
  removeAbandoned(before: Date): Promise<void>;
}
