import type { Queryable } from '../../../db/schema.js';
import { documentListChanges } from '../../derived-data/list-changes.js';
import { writeCounts } from '../../derived-data/write-counts.js';
import { removeChunks } from './remove-chunks.js';
import type { DocumentRow } from './rows.js';

/**
 * Deletes locked documents of one tenant, with everything of them. Nobody adds chunks or a source meanwhile: their foreign
 * keys lock the document.
 *
 * @returns the storage keys of their files, to be removed after commit
 */
export async function removeDocuments(tx: Queryable, documents: DocumentRow[]): Promise<string[]> {
  const [first] = documents;
  if (!first) return [];
  const { tenantId } = first;
  const ids = documents.map(({ id }) => id);
  const sources = await tx
    .selectFrom('documentSources')
    .select(['fileKey', 'sizeBytes'])
    .where('tenantId', '=', tenantId)
    .where('documentId', 'in', ids)
    .execute();
  let chunks = 0;
  for (const { id } of documents) chunks += await removeChunks(tx, tenantId, id);
  await tx
    .deleteFrom('documentNames')
    .where('tenantId', '=', tenantId)
    .where('documentId', 'in', ids)
    .execute();
  await tx.deleteFrom('documents').where('tenantId', '=', tenantId).where('id', 'in', ids).execute();
  const bytes = sources.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0);
  await writeCounts(tx, {
    usage: [{ tenantId, documents: -documents.length, chunks: -chunks, bytes: -bytes }],
    lists: documentListChanges({ before: documents }),
  });
  return sources.flatMap(({ fileKey }) => fileKey ?? []);
}
