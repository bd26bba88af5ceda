import type { Readable } from 'node:stream';

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

/** Storage of uploaded files. An unavailable, denied or full store throws a DomainError `unavailable`. */
export interface FileStorage {
  /**
   * Stores a stream while it arrives. All or nothing: after a failure no file is left.
   *
   * @throws DomainError `too_large` as soon as more than `maxBytes` have come; what the stream itself throws
   */
  write(source: AsyncIterable<Uint8Array>, options: { maxBytes: number }): Promise<StoredFile>;
  /** The stream fails with a DomainError `not_found` when there is no such file. */
  read(key: string, range?: ByteRange): Readable;
  /** Idempotent. */
  remove(key: string): Promise<void>;
  /** Path of the file, for local storage only. */
  pathOf?(key: string): string;
  /** Every file that `write` has made, and nothing else that may lie in the same place. */
  list(): AsyncIterable<{ key: string; modified: Date }>;
  /** Removes what interrupted writes left behind before `before`. */
  removeAbandoned(before: Date): Promise<void>;
}
