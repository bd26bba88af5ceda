import type { Queryable } from '../../../db/schema.js';
import { writeChunkChanges } from '../../search/indexing/index-writer.js';

/**
 * Deletes the chunks of a locked document, in the transaction of its change. The caller counts them.
 *
 * @returns how many there were
 */
export async function removeChunks(tx: Queryable, tenantId: string, documentId: string): Promise<number> {
  const chunks = await tx
    .deleteFrom('chunks')
    .where('tenantId', '=', tenantId)
    .where('documentId', '=', documentId)
    .returning('id')
    .execute();
  await writeChunkChanges(tx, { tenantId, documentId, removed: chunks.map(({ id }) => id) });
  return chunks.length;
}
