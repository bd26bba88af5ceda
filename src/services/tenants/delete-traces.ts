import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';

/*
 * What names a tenant in tables that are not of tenants: token buckets of rate limits, and how far the texts of all
 * tenants are queued to be embedded.
 */

/** Deletes it. Token buckets of the tenant's keys are known as long as the keys are there. */
export async function deleteTraces(db: Queryable, tenantId: string): Promise<void> {
  await sql`
    delete from rate_buckets where bucket = any(${tenantBuckets(tenantId)}) or bucket in (
      select kind || k.id from api_keys as k cross join unnest(array['key:', 'key-bytes:']) as kind
      where k.tenant_id = ${tenantId})
  `.execute(db);
  // The place in the order of tenants and chunks stays the same where the last chunk before it takes over.
  const everywhere = unscoped(db, 'The chunk before those of a deleted tenant is of any tenant.');
  const last = await everywhere
    .selectFrom('chunks')
    .select(['tenantId', 'id'])
    .where('tenantId', '<', tenantId)
    .orderBy('tenantId', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  await db
    .updateTable('embeddingModels')
    .set({ filledTenantId: last?.tenantId ?? '', filledChunkId: last?.id ?? '' })
    .where('filledTenantId', '=', tenantId)
    .execute();
}

export async function hasTraces(db: Queryable, tenantId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from rate_buckets where bucket = any(${tenantBuckets(tenantId)}))
      or exists (select from embedding_models where filled_tenant_id = ${tenantId}) as found
  `.execute(db);
  return rows[0]?.found ?? false;
}

const tenantBuckets = (tenantId: string): string[] => [`tenant:${tenantId}`, `tenant-bytes:${tenantId}`];
