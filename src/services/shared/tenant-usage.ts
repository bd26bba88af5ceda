import { sql } from 'kysely';
import { FIXED_LOCK_IDS } from '../../../db/advisory-locks.js';
import type { Database, Queryable } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { tryWithLock } from './advisory-lock.js';

/*
 * A tenant's usage is its row in tenant_usage and what tenant_usage_changes adds. Writes only append changes (see
 * src/derived-data), so that they never wait for each other; a rollup moves the changes into the row.
 */

export interface TenantUsage {
  documents: number;
  chunks: number;
  /** Of files, those that wait for their documents included, and of inline text. */
  bytes: number;
}

/** Most changes that a rollup moves. */
export const ROLLUP_BATCH_SIZE = 1_000;

/** What the tenant has. In one statement, whose snapshot holds each change once. */
export async function readUsage(db: Queryable, tenantId: string): Promise<TenantUsage> {
  const { rows } = await sql<TenantUsage>`
    select coalesce(sum(documents), 0)::bigint as documents, coalesce(sum(chunks), 0)::bigint as chunks,
      coalesce(sum(bytes), 0)::bigint as bytes
    from (
      select documents, chunks, bytes from tenant_usage where tenant_id = ${tenantId}
      union all
      select documents, chunks, bytes from tenant_usage_changes where tenant_id = ${tenantId}) as parts
  `.execute(db);
  return rows[0] ?? { documents: 0, chunks: 0, bytes: 0 };
}

/**
 * Moves a batch of changes into the tenants' rows, each tenant's in a transaction of its own. It waits for nobody: changes of
 * open transactions are left for later, and one process at a time does it.
 *
 * @returns the number of changes moved; 0 also while another process does it
 */
export async function rollUpUsage(database: Database): Promise<number> {
  const db = unscoped(database, 'Usage changes of all tenants are rolled up at once.');
  const { rows: tenants } = await sql<{ tenantId: string; changes: number }>`
    select tenant_id, count(*) as changes from (
      select tenant_id from tenant_usage_changes order by tenant_id, id limit ${sql.lit(ROLLUP_BATCH_SIZE)}) as oldest
    group by tenant_id
  `.execute(db);
  let moved = 0;
  for (const { tenantId, changes } of tenants) {
    moved +=
      (await tryWithLock(db, FIXED_LOCK_IDS.usageRollup, (tx) => moveChanges(tx, tenantId, changes))) ?? 0;
  }
  return moved;
}

/** Moves the oldest changes of a tenant. The caller holds the lock of the rollup. @returns how many */
export async function moveChanges(tx: Queryable, tenantId: string, most: number): Promise<number> {
  const { rows } = await sql<TenantUsage & { moved: number }>`
    with moved as (
      delete from tenant_usage_changes where tenant_id = ${tenantId} and id <= (
        select max(id) from (
          select id from tenant_usage_changes where tenant_id = ${tenantId} order by id limit ${most}) as oldest)
      returning documents, chunks, bytes)
    select count(*) as moved, sum(documents)::bigint as documents, sum(chunks)::bigint as chunks, sum(bytes)::bigint as bytes
    from moved
  `.execute(tx);
  const { moved, ...usage } = rows[0] ?? { moved: 0, documents: 0, chunks: 0, bytes: 0 };
  if (moved === 0) return 0;
  await sql`
    insert into tenant_usage as usage (tenant_id, documents, chunks, bytes)
    values (${tenantId}, ${usage.documents}, ${usage.chunks}, ${usage.bytes})
    on conflict (tenant_id) do update
    set documents = usage.documents + excluded.documents, chunks = usage.chunks + excluded.chunks,
      bytes = usage.bytes + excluded.bytes
  `.execute(tx);
  return moved;
}
