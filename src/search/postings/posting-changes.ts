import type { Queryable } from '../../../db/schema.js';

/** So many chunks are named one by one; of more, all of the document are taken. */
const MAX_NAMED = 1_000;

export interface PostingChange {
  tenantId: string;
  documentId: string;
  /** Default: all of the document. */
  chunkIds?: string[] | undefined;
}

/**
 * Records that the index no longer says what is true of these chunks. Until they are in the next segment, a search
 * reads their terms instead. Only appends, so that writers never wait for each other.
 */
export async function recordPostingChange(
  tx: Queryable,
  { tenantId, documentId, chunkIds }: PostingChange,
): Promise<void> {
  if (chunkIds?.length === 0) return;
  const named = chunkIds && chunkIds.length <= MAX_NAMED ? chunkIds : null;
  await tx.insertInto('postingChanges').values({ tenantId, documentId, chunkIds: named }).execute();
}
