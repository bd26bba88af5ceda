import { pipeline } from 'node:stream';
import zlib from 'node:zlib';
import type { SourceBytes } from '@lectern/file-to-markdown';
import { IngestionError } from '../ingestion-error.js';
import { sourceFromFile } from '../sources/source-file.js';

type UnpackedBytes = Pick<SourceBytes, 'readHead' | 'stream'>;

/**
 * The bytes of a file, decompressed if it is a gzip file, whatever its headers say.
 *
 * @param maxBytes of what is inside
 * @returns bytes whose streams throw IngestionError `too_large` above the limit, `corrupt` for what is
 * damaged
 */
export async function gunzipFile(path: string, maxBytes: number): Promise<UnpackedBytes> {
  const packed = await sourceFromFile(path);
  const [first, second] = await packed.readHead(2);
  if (first !== 0x1f || second !== 0x8b) return packed;
  const stream = () => unpack(packed.stream(), maxBytes);
  return {
    stream,
    async readHead(length) {
      const parts: Uint8Array[] = [];
      let size = 0;
      for await (const part of stream()) {
        parts.push(part);
        size += part.length;
        if (size >= length) break;
      }
      return Buffer.concat(parts).subarray(0, length);
    },
  };
}

async function* unpack(packed: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    const unpacked = pipeline(packed, zlib.createGunzip(), () => {}) as AsyncIterable<Uint8Array>;
    for await (const part of unpacked) {
      size += part.length;
      if (size > maxBytes) {
        const limit = `${Math.floor(maxBytes / 2 ** 20)} MiB`;
        throw new IngestionError('too_large', `is larger than ${limit} when unpacked`);
      }
      yield part;
    }
  } catch (error) {
    if (error instanceof IngestionError) throw error;
    throw new IngestionError('corrupt', 'is damaged and cannot be unpacked', false, { cause: error });
  }
}
