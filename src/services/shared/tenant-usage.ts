import { sql } from 'kysely';
import { FIXED_LOCK_IDS } from '../../../db/advisory-locks.js';
import type { Queryable } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';

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
 * Moves a batch of changes into the tenants' rows. It waits for nobody: changes of open transactions are left for later,
 * and one process at a time does it.
 *
 * @returns the number of changes moved; 0 also while another process does it
 */
export async function rollUpUsage(db: Queryable): Promise<number> {
  const { rows } = await sql<{ moved: number }>`
    with lock as materialized (
      select pg_try_advisory_xact_lock(${FIXED_LOCK_IDS.usageRollup}) as acquired),
    batch as (
      select tenant_id, id from tenant_usage_changes
      where (select acquired from lock)
      order by tenant_id, id limit ${ROLLUP_BATCH_SIZE}),
    moved as (
      delete from tenant_usage_changes as change using batch
      where change.tenant_id = batch.tenant_id and change.id = batch.id
      returning change.tenant_id, documents, chunks, bytes),
    added as (
      insert into tenant_usage as usage (tenant_id, documents, chunks, bytes)
      select tenant_id, sum(documents), sum(chunks), sum(bytes) from moved group by tenant_id
      on conflict (tenant_id) do update
      set documents = usage.documents + excluded.documents, chunks = usage.chunks + excluded.chunks,
        bytes = usage.bytes + excluded.bytes)
    select count(*) as moved from moved
  `.execute(unscoped(db, 'Usage changes of all tenants are rolled up at once.'));
  return rows[0]?.moved ?? 0;
}
