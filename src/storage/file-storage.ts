import type { Readable } from 'node:stream';

export interface StoredFile {
  key: string;
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** Where uploaded bytes live. */
export interface FileStorage {
  /**
   * Stores a stream while it arrives. All or nothing: after a failure no file is left.
   *
   * @throws DomainError `too_large` as soon as more than `maxBytes` have come
   */
  write(source: AsyncIterable<Uint8Array>, options: { maxBytes: number }): Promise<StoredFile>;
  read(key: string): Readable;
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>;
}
