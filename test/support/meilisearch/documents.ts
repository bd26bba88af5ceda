import { NotImplementedError } from './errors.js';
import type { Document, Index } from './indexes.js';

const ID = /^[a-zA-Z0-9_-]{1,511}$/;

/** The documents by their ids, the last one of each. */
export function keyDocuments(index: Index, documents: Document[]): Map<string, Document> {
  index.primaryKey ??= 'id';
  const key = index.primaryKey;
  return new Map(
    documents.map((document) => {
      const id = String(document[key]);
      if (!(key in document) || !ID.test(id)) throw new NotImplementedError('documents without a valid id');
      return [id, document];
    }),
  );
}

/** The document with these fields only; `*` stands for all. */
export function pick(document: Document, fields: string[]): Document {
  if (fields.includes('*')) return document;
  return Object.fromEntries(Object.entries(document).filter(([name]) => fields.includes(name)));
}
