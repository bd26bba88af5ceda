import type { DocumentDescription } from './documents.schema.js';
import { toDocumentColumns } from './rows.js';

const MAX_ROWS = 500;
/** Of what may be long in the rows: a statement is made and sent in one turn of the event loop. */
const MAX_CHARACTERS = 1_000_000;

/** The documents with their columns, as many as one statement may have. */
export function* importBatches<T extends Omit<DocumentDescription, 'documentType'>>(documents: T[]) {
  let batch: (T & { columns: ReturnType<typeof toDocumentColumns> })[] = [];
  let characters = 0;
  for (const document of documents) {
    const columns = toDocumentColumns(document);
    batch.push({ ...document, columns });
    characters += (columns.customProperties?.length ?? 0) + (document.documentContent?.length ?? 0);
    if (batch.length < MAX_ROWS && characters < MAX_CHARACTERS) continue;
    yield batch;
    [batch, characters] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
