import type { Database } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';

const RETENTION_DAYS = 30;

/** Retention: deletes old deliveries and expired former secrets. */
export async function sweepWebhooks(db: Database, now: Date): Promise<void> {
  const everywhere = unscoped(db, 'Applies the retention of all tenants.');
  await everywhere
    .deleteFrom('webhookDeliveries')
    .where('createdTime', '<', new Date(now.getTime() - RETENTION_DAYS * 86_400_000))
    .execute();
  await everywhere
    .updateTable('webhookSubscriptions')
    .set({ formerSecret: null, formerSecretUntil: null })
    .where('formerSecretUntil', '<', now)
    .execute();
}
