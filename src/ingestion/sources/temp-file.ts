import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { tooLargeMessage } from '../../outbound-http/too-large-message.js';
import { measureStream, SourceStreamError } from '../../storage/measure-stream.js';
import { IngestionError } from '../ingestion-error.js';

export interface TempFileOptions {
  tempDir: string;
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

/**
 * Writes a stream to a new temporary file; removes it on failure. The directory must exist.
 *
 * @throws IngestionError `too_large`, what the stream throws, or the reason of `signal`
 */
export async function writeTempFile(
  body: AsyncIterable<Uint8Array>,
  { tempDir, maxBytes, signal }: TempFileOptions,
): Promise<{ path: string; size: number; sha256: string }> {
  const target = path.join(tempDir, randomUUID());
  const { bytes, result } = measureStream(body, {
    maxBytes,
    tooLarge: () => new IngestionError('too_large', tooLargeMessage(maxBytes)),
  });
  const file = createWriteStream(target, { flags: 'wx', mode: 0o600 });
  try {
    await pipeline(bytes, file, { signal });
  } catch (error) {
    // Until then it may still be made.
    if (!file.closed) await new Promise<void>((resolve) => file.once('close', resolve));
    await rm(target, { force: true });
    signal?.throwIfAborted();
    throw error instanceof SourceStreamError ? error.cause : error;
  }
  const { sizeBytes, sha256 } = result();
  return { path: target, size: sizeBytes, sha256 };
}

export async function hashFile(file: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash, { signal });
  return hash.digest('hex');
}
