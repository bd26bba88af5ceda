import type { Database } from '../../db/schema.js';
import { mergeSegments, type ReadPosted } from '../../src/search/postgres/postings/merge.js';
import { moveChanges, readChunks } from '../../src/search/postgres/postings/move-chunks.js';

/** Moves all changes of a tenant into segments and merges these, as a server does in the background: of chunks, or of messages. */
export async function mergeAll(
  db: Database,
  tenantId: string,
  { move, read }: { move: typeof moveChanges; read: ReadPosted } = { move: moveChanges, read: readChunks },
): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    const moved = await move(db, tenantId);
    for (const dataset of moved.datasets) while ((await mergeSegments(db, dataset, { read })) === 'merged');
    ({ hasMore } = moved);
  }
}
