import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** A body that is read while it is sent. */
export interface RequestBody {
  /** Bytes. */
  size: number;
  parts(): AsyncIterable<Uint8Array>;
}

/** A local file cannot be read to its end: no endpoint is to blame. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';
}

export interface LocalFile {
  path: string;
  /** Bytes. */
  size: number;
}

/** The bytes of a file. */
export const fileBody = ({ path, size }: LocalFile): RequestBody => ({
  size,
  parts: () => readParts(path, size),
});

/** A text with a file as base64 inside it. */
export function base64Body(before: string, file: LocalFile, after: string): RequestBody {
  const [head, tail] = [Buffer.from(before), Buffer.from(after)];
  return {
    size: head.length + 4 * Math.ceil(file.size / 3) + tail.length,
    async *parts() {
      yield head;
      yield* toBase64(readParts(file.path, file.size));
      yield tail;
    },
  };
}

async function* toBase64(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left: Uint8Array = Buffer.alloc(0);
  for await (const part of parts) {
    const bytes = Buffer.concat([left, part]);
    // Three bytes are four characters; fewer would be padded.
    const whole = bytes.length - (bytes.length % 3);
    left = bytes.subarray(whole);
    yield Buffer.from(bytes.toString('base64', 0, whole));
  }
  yield Buffer.from(Buffer.from(left).toString('base64'));
}

/** Bytes in memory. */
export const bytesBody = (bytes: Uint8Array): RequestBody => ({
  size: bytes.length,
  async *parts() {
    yield bytes;
  },
});

async function* readParts(path: string, size: number): AsyncGenerator<Uint8Array> {
  if (size === 0) return;
  let read = 0;
  try {
    for await (const part of createReadStream(path, { end: size - 1 })) {
      read += part.length;
      yield part;
    }
  } catch (error) {
    throw new UnreadableFileError('The file cannot be read.', { cause: error });
  }
  if (read < size) throw new UnreadableFileError(`The file has ${read} bytes, and had ${size}.`);
}

export interface MultipartFile extends LocalFile {
  /** Of the form. */
  field: string;
  fileName: string;
  mediaType: string;
}

/** A form with text fields, which may repeat, and one file at its end. */
export function multipartBody(
  fields: [name: string, value: string][],
  file: MultipartFile,
): RequestBody & { contentType: string } {
  const boundary = `lectern-${randomBytes(16).toString('hex')}`;
  const head = Buffer.from(
    fields.map(([name, value]) => `${startOf(boundary, name)}\r\n\r\n${value}\r\n`).join('') +
      `${startOf(boundary, file.field)}; filename="${escapeQuoted(file.fileName)}"\r\n` +
      `Content-Type: ${file.mediaType}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    size: head.length + file.size + tail.length,
    async *parts() {
      yield head;
      yield* readParts(file.path, file.size);
      yield tail;
    },
  };
}

const startOf = (boundary: string, name: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${escapeQuoted(name)}"`;

/** As browsers do; control characters do not end a header. */
const escapeQuoted = (text: string): string =>
  text.replace(/["\r\n]/g, (found) => encodeURIComponent(found)).replace(/\p{Cc}/gu, '_');
