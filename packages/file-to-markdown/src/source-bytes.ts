import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';

/** The bytes of a source in memory or on disk, readable in part, as a whole or as a stream. */
export interface SourceBytes {
  readonly size: number;
  /** The first bytes, fewer where there are no more. */
  readHead(length: number): Promise<Buffer>;
  readAll(): Promise<Buffer>;
  /** From the beginning, every time. */
  stream(): AsyncIterable<Uint8Array>;
}

export function sourceFromBuffer(bytes: Uint8Array): SourceBytes {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    size: buffer.length,
    readHead: async (length) => buffer.subarray(0, length),
    readAll: async () => buffer,
    async *stream() {
      yield buffer;
    },
  };
}

/** @throws the error of the file system, such as `ENOENT` */
export async function sourceFromFile(path: string): Promise<SourceBytes> {
  const { size } = await stat(path);
  return {
    size,
    async readHead(length) {
      const file = await open(path);
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
    readAll: () => readFile(path),
    stream: () => createReadStream(path),
  };
}
