import { insertBatches } from '../../db/insert-batches.js';
import type { Queryable } from '../../db/schema.js';
import type { ListChange } from './list-changes.js';

/** What a write adds to the usage of a tenant; negative where it takes something away. */
export interface UsageChange {
  tenantId: string;
  documents?: number;
  chunks?: number;
  bytes?: number;
}

export interface Counts {
  usage?: readonly UsageChange[];
  lists?: readonly ListChange[];
}

/**
 * Counts what a transaction has written, and only where something changes: its usage, and the entries of lists. Both are
 * appended, so that no write waits for another one; rollups move them into counters.
 *
 * Each statement has the rows of one tenant, as values, and so goes to its shard.
 */
export async function writeCounts(tx: Queryable, { usage = [], lists = [] }: Counts): Promise<void> {
  for (const change of sumUsage(usage)) await tx.insertInto('tenantUsageChanges').values(change).execute();
  for (const batch of insertBatches(lists)) await tx.insertInto('listChanges').values(batch).execute();
}

/** One change of each tenant, in their order; none where nothing is added together. */
function sumUsage(usage: readonly UsageChange[]): Required<UsageChange>[] {
  const byTenant = new Map<string, Required<UsageChange>>();
  for (const { tenantId, documents = 0, chunks = 0, bytes = 0 } of usage) {
    const sum = byTenant.get(tenantId) ?? { tenantId, documents: 0, chunks: 0, bytes: 0 };
    sum.documents += documents;
    sum.chunks += chunks;
    sum.bytes += bytes;
    byTenant.set(tenantId, sum);
  }
  return [...byTenant.values()]
    .filter(({ documents, chunks, bytes }) => documents !== 0 || chunks !== 0 || bytes !== 0)
    .sort((a, b) => (a.tenantId < b.tenantId ? -1 : 1));
}
