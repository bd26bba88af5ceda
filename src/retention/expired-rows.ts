import { deleteBefore, type Prune } from '../../db/prune.js';
import type { Database } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';

/** Rows of a table expire so long after the time in a column, which leads an index. */
export interface RetentionRule {
  table: string;
  column: string;
  keepMs: number;
}

/** Deletes the rows of all tenants that have expired. */
export async function* deleteExpired(
  db: Database,
  { table, column, keepMs }: RetentionRule,
  clock: () => Date,
): Prune {
  const before = new Date(clock().getTime() - keepMs);
  const everywhere = unscoped(db, 'Rows of all tenants expire.');
  for await (const rows of deleteBefore(everywhere, { table, column, before })) yield rows.length;
}
