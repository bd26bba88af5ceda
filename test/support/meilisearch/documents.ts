import { ApiError, NotImplementedError } from './errors.js';
import type { Document, Index } from './indexes.js';

const ID = /^[a-zA-Z0-9_-]{1,511}$/;
const IS_INVALID =
  'is invalid. A document identifier can be of type integer or string, only composed of alphanumeric characters (a-z A-Z 0-9), hyphens (-) and underscores (_), and can not be more than 511 bytes.';

/** The documents of a request, from an array, a single object or lines. */
export function readDocuments(contentType: string, text: string): Document[] {
  if (text === '') throw new ApiError(400, 'missing_payload', 'A json payload is missing.');
  const format = /^application\/(json|x-ndjson)\b/.exec(contentType)?.[1]?.replace('x-', '');
  if (!format) {
    const message = `The Content-Type \`${contentType}\` is invalid. Accepted values for the Content-Type header are: \`application/json\`, \`application/x-ndjson\`, \`text/csv\``;
    throw new ApiError(415, 'invalid_content_type', message);
  }
  let documents: unknown[];
  try {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    documents = format === 'json' ? [JSON.parse(text)].flat() : lines.map((line) => JSON.parse(line));
  } catch (error) {
    const message = `The \`${format}\` payload provided is malformed. \`Couldn't serialize document value: ${(error as Error).message}\`.`;
    throw new ApiError(400, 'malformed_payload', message);
  }
  if (documents.some((document) => typeof document !== 'object' || document === null)) {
    throw new NotImplementedError('documents that are no objects');
  }
  return documents as Document[];
}

/** The documents by their ids, the last one of each. Refuses all of them because of one. */
export function identify(index: Index, documents: Document[]): Map<string, Document> {
  const identified = new Map<string, Document>();
  const [first] = documents;
  const key = index.primaryKey ?? (first && guessPrimaryKey(first)) ?? '';
  for (const document of documents) {
    const id = document[key];
    if (id === undefined) {
      const shown = JSON.stringify(document);
      const message = `Document doesn't have a \`${key}\` attribute: \`${shown}\`.`;
      throw new ApiError(400, 'missing_document_id', message);
    }
    const isValid = Number.isInteger(id) || (typeof id === 'string' && ID.test(id));
    if (!isValid) {
      const message = `Document identifier \`${JSON.stringify(id)}\` ${IS_INVALID}`;
      throw new ApiError(400, 'invalid_document_id', message);
    }
    identified.set(String(id), document);
  }
  if (first) index.primaryKey = key;
  return identified;
}

function guessPrimaryKey(document: Document): string {
  const [name, another] = Object.keys(document).filter((key) => /id$/i.test(key));
  if (name === undefined || another !== undefined)
    throw new NotImplementedError('documents of unclear primary key');
  return name;
}

/** The ids to ask for, refused if one cannot be. */
export function readIds(ids: unknown): string[] {
  if (!Array.isArray(ids)) throw new NotImplementedError('ids that are no list');
  for (const [place, id] of ids.entries()) {
    if (ID.test(String(id))) continue;
    const message = `In \`.ids[${place}]\`: Document identifier \`${JSON.stringify(id)}\` ${IS_INVALID}`;
    throw new ApiError(400, 'invalid_document_ids', message);
  }
  return ids.map(String);
}

/** The document with these fields only; `*` stands for all. */
export function pick(document: Document, fields: string[]): Document {
  if (fields.includes('*')) return document;
  return Object.fromEntries(Object.entries(document).filter(([name]) => fields.includes(name)));
}
