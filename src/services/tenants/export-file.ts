import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A file as it was written. */
export interface ExportedFile {
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** Writes a new file, readable for its owner alone, in bounded memory. */
export async function writeExportFile(
  target: string,
  content: AsyncIterable<string | Uint8Array>,
): Promise<ExportedFile> {
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
  await pipeline(
    Readable.from(measured()),
    createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }),
  );
  return { sizeBytes, sha256: hash.digest('hex') };
}
