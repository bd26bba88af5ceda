import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '../errors/errors.js';

/** What a file holds. */
export interface FileContent {
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** Writes a new file, readable for its owner alone, in bounded memory. */
export async function writeNewFile(
  target: string,
  content: AsyncIterable<string | Uint8Array>,
): Promise<FileContent> {
  const { bytes, result } = hashStream(content);
  await pipeline(
    Readable.from(bytes, { objectMode: false }),
    createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }),
  );
  return result();
}

/** Likewise, under another name until it is complete and has reached the disk. */
export async function writeWholeFile(
  target: string,
  content: AsyncIterable<string | Uint8Array>,
): Promise<FileContent> {
  const partial = `${target}.partial`;
  // What an interrupted attempt has left.
  await rm(partial, { force: true });
  const written = await writeNewFile(partial, content);
  await rename(partial, target);
  return written;
}

/**
 * Likewise from a storage.
 *
 * @returns undefined where the storage has no such file
 */
export async function writeNewFileIfFound(
  target: string,
  content: AsyncIterable<string | Uint8Array>,
): Promise<FileContent | undefined> {
  try {
    return await writeNewFile(target, content);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'not_found')) throw error;
    await rm(target, { force: true });
    return undefined;
  }
}

/** Reads all of it, in bounded memory. */
export async function measureContent(content: AsyncIterable<Uint8Array>): Promise<FileContent> {
  const { bytes, result } = hashStream(content);
  for await (const _ of bytes);
  return result();
}

/** Counts and hashes the bytes of a stream while they pass; `result` is to be asked for once, at the end. */
export function hashStream(content: AsyncIterable<string | Uint8Array>) {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const measured = async function* () {
    for await (const part of content) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part;
      hash.update(bytes);
      sizeBytes += bytes.byteLength;
      yield bytes;
    }
  };
  return { bytes: measured(), result: (): FileContent => ({ sizeBytes, sha256: hash.digest('hex') }) };
}
