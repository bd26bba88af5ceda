import type { Queryable } from '../../../../db/schema.js';

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
export const recordPostingChange = (tx: Queryable, change: PostingChange): Promise<void> =>
  recordPostingChanges(tx, [change]);

/** The same for several documents. */
export async function recordPostingChanges(tx: Queryable, changes: PostingChange[]): Promise<void> {
  const rows = changes
    .filter(({ chunkIds }) => chunkIds?.length !== 0)
    .map(({ tenantId, documentId, chunkIds }) => ({
      tenantId,
      documentId,
      chunkIds: chunkIds && chunkIds.length <= MAX_NAMED ? chunkIds : null,
    }));
  if (rows.length > 0) await tx.insertInto('postingChanges').values(rows).execute();
}
