import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import type { EngineRequest } from './engine-server.js';

/** The fields and files of a form, as a server reads them. */
export async function readForm({ headers, body }: EngineRequest) {
  const fields: Record<string, string[]> = {};
  const files: { field: string; fileName: string; mediaType: string; text: string }[] = [];
  const busboy = new Busboy({ headers: { 'content-type': String(headers['content-type']) } });
  busboy.on('field', (name, value) => {
    fields[name] = [...(fields[name] ?? []), value];
  });
  busboy.on('file', (field, stream, fileName, _encoding, mediaType) => {
    const file = { field, fileName, mediaType, text: '' };
    files.push(file);
    stream.on('data', (data: Buffer) => {
      file.text += data.toString('latin1');
    });
  });
  await pipeline(Readable.from([body]), busboy);
  return { fields, files };
}
