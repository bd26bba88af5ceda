import { pipeline, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { FetchError } from './fetch-error.js';
import { tooLargeMessage } from './too-large-message.js';

/** No page or table that people read compresses as well as this; bodies up to so many bytes may. */
const MAX_RATIO = 500;
const RATIO_FROM_BYTES = 8 * 1024 * 1024;

/**
 * Decompresses a body as its `Content-Encoding` says, part by part.
 *
 * @param maxBytes of the body as it is sent, and as it becomes
 * @throws FetchError `too_large` above `maxBytes`, and for what grows more than 500 times while being decompressed;
 *   what the body and the decompressor throw
 */
export async function* decompressBody(
  body: AsyncIterable<Uint8Array>,
  { encoding, maxBytes }: { encoding: string; maxBytes: number },
): AsyncGenerator<Uint8Array> {
  let encodedBytes = 0;
  let decodedBytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const part of body) {
      encodedBytes += part.byteLength;
      // Empty members decompress to nothing, for ever.
      if (encodedBytes > maxBytes) throw tooLargeError(maxBytes);
      yield part;
    }
  }
  for await (const part of decompressed(counted(), encoding)) {
    decodedBytes += part.byteLength;
    if (decodedBytes > maxBytes) throw tooLargeError(maxBytes);
    if (decodedBytes > RATIO_FROM_BYTES && decodedBytes > encodedBytes * MAX_RATIO)
      throw decompressionBombError();
    yield part;
  }
}

async function* decompressed(body: AsyncGenerator<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const createDecoder = decoderFor(encoding.trim().toLowerCase());
  if (!createDecoder) return yield* body;
  const { value: first, done } = await body.next();
  // Nothing was not compressed, whatever the header says.
  if (done) return;
  async function* whole() {
    yield first;
    yield* body;
  }
  const decoder = createDecoder(first);
  decoder.on('error', () => {});
  yield* pipeline(whole(), decoder, () => {}) as AsyncIterable<Uint8Array>;
}

function decoderFor(encoding: string): ((first: Uint8Array) => Transform) | undefined {
  switch (encoding) {
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return () => zlib.createGunzip();
    case 'deflate':
      return createInflate;
    case 'br':
      return () => zlib.createBrotliDecompress();
    default:
      throw new FetchError('broken_body', 'The server used a compression that is not supported.', false);
  }
}

/** `deflate` means the zlib format (RFC 9110), but many servers send what is inside of it alone. */
const createInflate = ([byte = 0]: Uint8Array): Transform =>
  (byte & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw();

export const tooLargeError = (maxBytes: number) =>
  new FetchError('too_large', tooLargeMessage(maxBytes), false);

function decompressionBombError(): FetchError {
  const message = `The server sent something that becomes more than ${MAX_RATIO} times as large when it is decompressed, as no page does; upload the file instead.`;
  return new FetchError('too_large', message, false);
}
