import type { Readable } from 'node:stream';

export interface StoredFile {
  key: string;
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** Where uploaded bytes live. A store that is away, denies or is full gives a DomainError `unavailable`. */
export interface FileStorage {
  /**
   * Stores a stream while it arrives. All or nothing: after a failure no file is left.
   *
   * @throws DomainError `too_large` as soon as more than `maxBytes` have come; what the stream itself throws
   */
  write(source: AsyncIterable<Uint8Array>, options: { maxBytes: number }): Promise<StoredFile>;
  /** The stream fails with a DomainError `not_found` when there is no such file. */
  read(key: string): Readable;
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>;
  /** Where the file lies, for a store whose files this process can open itself. */
  pathOf?(key: string): string;
  /** Every file that `write` has made, and nothing else that may lie in the same place. */
  list(): AsyncIterable<{ key: string; modified: Date }>;
  /** Removes what writes that were cut off have left behind, when it is older than `before`. */
  removeAbandoned(before: Date): Promise<void>;
}
