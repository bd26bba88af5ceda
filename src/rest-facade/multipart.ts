import { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import type { Request } from 'express';
import type { Api } from '../routers/index.js';
import { bodyError } from './errors.js';

const MAX_FIELD_BYTES = 1024 * 1024;
const MAX_FIELDS = 1_000;
/** What the form around a file may take. */
const FORM_SURPLUS = 4 * 1024 * 1024;

/** A form's fields; those that came more than once are arrays. The file stands in its field as `{ fileId, … }`. */
export type Form = Record<string, unknown>;

/**
 * Reads a multipart form. The file goes to storage while it arrives; when anything is wrong with the form, it is
 * dropped again.
 */
export async function readForm(
  req: Request,
  { api, fileField, maxUploadBytes }: { api: Api; fileField: string; maxUploadBytes: number },
): Promise<Form> {
  if (!req.is('multipart/form-data')) {
    throw bodyError('media.unsupported', 'This endpoint takes multipart/form-data.');
  }
  if (Number(req.get('content-length')) > maxUploadBytes + FORM_SURPLUS) {
    throw bodyError('entity.too.large', 'The upload is larger than allowed.');
  }
  const form: Form = Object.create(null);
  const add = (name: string, value: unknown) => {
    form[name] = name in form ? [form[name], value].flat() : value;
  };
  let upload: Promise<unknown> = Promise.resolve();
  let hasFile = false;

  const parsed = new Promise<void>((resolve, reject) => {
    const parser = createParser(req);
    parser.on('field', (name, value, nameTruncated, valueTruncated) => {
      if (nameTruncated || valueTruncated) reject(bodyError('entity.too.large', 'A form field is too long.'));
      else add(name, value);
    });
    parser.on('file', (name, stream, fileName, _encoding, mediaType) => {
      if (name !== fileField || hasFile) return stream.resume();
      hasFile = true;
      upload = api.files
        .upload(Readable.toWeb(stream) as never)
        .then(({ fileId }) => add(name, { fileId, fileName: fileName || undefined, mediaType }));
      upload.catch((error) => {
        stream.resume();
        reject(error);
      });
      return undefined;
    });
    parser.on('fieldsLimit', () => reject(bodyError('multipart.invalid', 'The form has too many fields.')));
    parser.on('error', (error) => reject(bodyError('multipart.invalid', `Malformed form: ${String(error)}`)));
    parser.on('finish', resolve);
    req.on('aborted', () => {
      parser.destroy();
      reject(bodyError('request.aborted', 'The request was aborted.'));
    });
    req.pipe(parser);
  });

  try {
    await parsed;
    await upload;
    return form;
  } catch (error) {
    req.unpipe();
    await upload.catch(() => {});
    await discardFile(api, form[fileField]);
    throw error;
  }
}

/** Drops the received file of a form that is not going to be used. */
export async function discardFile(api: Api, file: unknown): Promise<void> {
  const { fileId } = (file ?? {}) as { fileId?: unknown };
  if (typeof fileId === 'string') await api.files.discard({ fileId });
}

function createParser(req: Request) {
  try {
    return new Busboy({
      headers: req.headers as { 'content-type': string },
      limits: { fieldSize: MAX_FIELD_BYTES, fields: MAX_FIELDS },
    });
  } catch (error) {
    throw bodyError('multipart.invalid', `Malformed form: ${(error as Error).message}`);
  }
}
