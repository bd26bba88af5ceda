import { sql } from 'kysely';
import { FIXED_LOCK_IDS } from '../../../../db/advisory-locks.js';
import type { Prune } from '../../../../db/prune.js';
import type { Database } from '../../../../db/schema.js';
import { unscoped } from '../../../../db/tenant-isolation/unscoped.js';
import { changePartitions } from './change-partitions.js';
import { extendAuditPartitions } from './extend.js';
import { EMPTY_PARTITION, readAuditPartitions } from './read-partitions.js';

/**
 * Makes the partitions of the coming months, and drops those whose last event is older than `keepMs`; without it none.
 * Yields how many events were dropped.
 */
export async function* maintainPartitions(
  database: Database,
  { keepMs, clock }: { keepMs: number | undefined; clock: () => Date },
): Prune {
  const db = unscoped(database, 'The audit log of all tenants is partitioned by month.');
  await db.connection().execute((session) => extendIfFree(session, clock()));
  if (keepMs === undefined) return;
  const before = new Date(clock().getTime() - keepMs);
  for (const { name, to } of await readAuditPartitions(db)) {
    if (!to || to > before) return;
    const events = await countEvents(db, name);
    if (events === 0 && name === EMPTY_PARTITION) continue;
    await changePartitions(db, (tx) => sql`select drop_audit_partition(${name})`.execute(tx));
    yield events;
  }
}

async function countEvents(db: Database, name: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** In one process at a time: in another one, the next hour will do. */
async function extendIfFree(session: Database, now: Date): Promise<void> {
  const lock = FIXED_LOCK_IDS.auditPartitions;
  const { rows } = await sql<{ isFree: boolean }>`select pg_try_advisory_lock(${lock}) as is_free`.execute(
    session,
  );
  if (!rows[0]?.isFree) return;
  try {
    await extendAuditPartitions(session, now);
  } finally {
    await sql`select pg_advisory_unlock(${lock})`.execute(session);
  }
}
