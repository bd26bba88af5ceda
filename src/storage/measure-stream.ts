import { createHash } from 'node:crypto';

/** The source stream failed, not the store; `cause` is its error. */
export class SourceStreamError extends Error {
  override readonly name = 'SourceFailure';

  constructor(cause: unknown) {
    super('The source failed.', { cause });
  }
}

/** Counts and hashes the bytes of a stream while they pass, and ends it with `tooLarge` above the limit. */
export function measureStream(
  source: AsyncIterable<Uint8Array>,
  { maxBytes, tooLarge }: { maxBytes: number; tooLarge: () => Error },
) {
  const hash = createHash('sha256');
  let sizeBytes = 0;

  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      for await (const part of source) {
        sizeBytes += part.byteLength;
        if (sizeBytes > maxBytes) throw tooLarge();
        hash.update(part);
        yield part;
      }
    } catch (error) {
      throw new SourceStreamError(error);
    }
  }

  return {
    /** To be read once. */
    bytes: bytes(),
    /** Of all that has passed; to be asked for once, at the end. */
    result: () => ({ sizeBytes, sha256: hash.digest('hex') }),
  };
}
