import type { Database } from '../../../db/schema.js';
import { recordPostingChanges } from '../../../src/search/postgres/postings/posting-changes.js';
import { chunkId, documentId, TENANT } from './fill-tenant.js';

/** Lets the first chunks of the tenant be found. */
export async function indexChunks(db: Database, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, n) => n);
  await recordPostingChanges(
    db,
    numbers.map((n) => ({ tenantId: TENANT, documentId: documentId(n), chunkIds: [chunkId(n)] })),
  );
}
