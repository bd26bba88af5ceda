import type { Database } from '../../db/schema.js';
import { mergeSegments, moveChanges } from '../../src/search/postgres/postings/merge.js';

/** Moves all changes of a tenant into segments and merges these, as a server does in the background. */
export async function mergeAll(db: Database, tenantId: string): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    const moved = await moveChanges(db, tenantId);
    for (const dataset of moved.datasets) while (await mergeSegments(db, dataset));
    ({ hasMore } = moved);
  }
}
