import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';

/** The bytes of a source, wherever they lie, for readers that need all of them and for those that do not. */
export interface SourceBytes {
  readonly size: number;
  /** The first bytes, fewer where there are no more. */
  head(length: number): Promise<Buffer>;
  whole(): Promise<Buffer>;
  /** From the beginning, every time. */
  stream(): AsyncIterable<Uint8Array>;
}

export function bytesInMemory(bytes: Uint8Array): SourceBytes {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    size: buffer.length,
    head: async (length) => buffer.subarray(0, length),
    whole: async () => buffer,
    async *stream() {
      yield buffer;
    },
  };
}

export async function bytesOfFile(path: string): Promise<SourceBytes> {
  const { size } = await stat(path);
  return {
    size,
    async head(length) {
      const file = await open(path);
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
    whole: () => readFile(path),
    stream: () => createReadStream(path),
  };
}
