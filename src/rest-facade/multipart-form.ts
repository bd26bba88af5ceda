import type { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { Busboy } from '@fastify/busboy';
import type { Request } from 'express';
import type { Api } from '../routers/index.js';
import { bindToSpan } from '../tracing/spans.js';
import { toFormError } from './error-locations.js';
import { requestError } from './request-errors.js';

const MAX_FIELD_BYTES = 1024 * 1024;
const MAX_FIELDS = 1_000;
/** Of a part: a file name of 1,024 characters, escaped. */
const MAX_PART_HEADER_BYTES = 16 * 1024;
/** Fields and files, also in fields that are not read. Each takes as long as kilobytes of a file. */
const MAX_PARTS = MAX_FIELDS + 1;
/** Bytes of a form besides the file. */
const FORM_SURPLUS = 4 * 1024 * 1024;

export interface MultipartForm {
  /** Repeated fields are arrays. The file field is `{ fileId, … }`. */
  fields: Record<string, unknown>;
  /** Deletes the uploaded file if the form is not used. */
  discard(): Promise<void>;
}

interface MultipartOptions {
  api: Api;
  fileField: string;
  maxUploadBytes: number;
  /** Counts bytes that are held in memory. @throws DomainError where they are too many */
  hold(bytes: number): void;
}

/** Reads a multipart form. The file is streamed into storage, and deleted if the form is invalid. */
export async function readMultipartForm(
  req: Request,
  { api, fileField, maxUploadBytes, hold }: MultipartOptions,
): Promise<MultipartForm> {
  if (!req.is('multipart/form-data')) {
    throw requestError('media.unsupported', 'This endpoint takes multipart/form-data.');
  }
  if (req.destroyed) throw requestError('request.aborted', 'The request was aborted.');
  const encoding = req.get('content-encoding') ?? 'identity';
  if (encoding !== 'identity') {
    throw requestError('encoding.unsupported', `unsupported content encoding "${encoding}"`);
  }
  const maxBytes = maxUploadBytes + FORM_SURPLUS;
  const tooLarge = () => requestError('entity.too.large', 'The upload is larger than allowed.');
  if (Number(req.get('content-length')) > maxBytes) throw tooLarge();
  const fields: MultipartForm['fields'] = Object.create(null);
  const add = (name: string, value: unknown) => {
    const known = fields[name];
    if (Array.isArray(known)) known.push(value);
    else fields[name] = name in fields ? [known, value] : value;
  };
  let fieldCharacters = 0;
  let file: Readable | undefined;
  /** The last part that is not held in memory. */
  let streamed: Readable | undefined;
  let upload: Promise<{ fileId: string; sha256: string }> | undefined;
  const discard = async () => {
    const received = await upload?.catch(() => undefined);
    if (received) await api.files.discard({ fileId: received.fileId });
  };

  // Streams call back outside of the request's trace.
  const startUpload = bindToSpan((file: ReadableStream) => api.files.upload(file as never));

  const parsed = new Promise<void>((resolve, reject) => {
    const parser = createParser(req);
    parser.on('field', (name, value, nameTruncated, valueTruncated) => {
      fieldCharacters += value.length;
      if (nameTruncated || valueTruncated || fieldCharacters > FORM_SURPLUS) {
        reject(requestError('entity.too.large', 'A form field is too long.'));
      } else add(name, value);
    });
    parser.on('file', (name, stream, fileName, _encoding, mediaType) => {
      // The parser only emits an error for a truncated part; destroy the stream so that its reader ends.
      stream.on('error', (error) => stream.destroy(error));
      streamed = stream;
      if (name !== fileField) return stream.resume();
      if (upload) {
        reject(requestError('multipart.invalid', 'Only one file can be uploaded.', ['body', fileField]));
        return stream.resume();
      }
      file = stream;
      upload = startUpload(toWebStream(stream));
      upload.then(
        ({ fileId, sha256 }) => add(name, { fileId, sha256, fileName: fileName || undefined, mediaType }),
        (error) => reject(toFormError(error)),
      );
      return undefined;
    });
    for (const limit of ['fieldsLimit', 'partsLimit'] as const)
      parser.on(limit, () => reject(requestError('multipart.invalid', 'The form has too many fields.')));
    parser.on('error', (error) =>
      reject(requestError('multipart.invalid', `Malformed form: ${String(error)}`)),
    );
    parser.on('finish', resolve);
    req.on('aborted', () => {
      parser.destroy();
      reject(requestError('request.aborted', 'The request was aborted.'));
    });
    // Unknown parts, preamble and epilogue count, too.
    let receivedBytes = 0;
    req.on('data', (bytes: Buffer) => {
      receivedBytes += bytes.length;
      if (receivedBytes > maxBytes) reject(tooLarge());
      try {
        if (!streamed || streamed.readableEnded) hold(bytes.length);
      } catch (error) {
        reject(error);
      }
    });
    req.pipe(parser);
  });

  try {
    await parsed;
    await upload?.catch((error) => Promise.reject(toFormError(error)));
    return { fields, discard };
  } catch (error) {
    req.unpipe();
    file?.destroy();
    await discard();
    throw error;
  }
}

/**
 * A stream whose reader may cancel. Readable.toWeb() would throw an uncatchable error when its source
 * continues.
 */
const toWebStream = (stream: Readable) => ReadableStream.from(stream.iterator({ destroyOnReturn: false }));

function createParser(req: Request) {
  try {
    return new Busboy({
      headers: req.headers as { 'content-type': string },
      limits: {
        fieldSize: MAX_FIELD_BYTES,
        fields: MAX_FIELDS,
        parts: MAX_PARTS,
        headerSize: MAX_PART_HEADER_BYTES,
      },
    });
  } catch (error) {
    throw requestError('multipart.invalid', `Malformed form: ${(error as Error).message}`);
  }
}
