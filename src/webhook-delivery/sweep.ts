import { sql } from 'kysely';
import { PRUNE_BATCH, type Prune, pruneBatch } from '../../db/prune.js';
import type { Database } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-isolation/unscoped.js';

/** Forgets former secrets that sign no more. */
export async function* forgetFormerSecrets(db: Database, now: Date): Prune {
  const everywhere = unscoped(db, 'Former secrets of all tenants expire.');
  for (;;) {
    const forgotten = await pruneBatch(everywhere, async (tx) => {
      const { numAffectedRows = 0n } = await sql`
        with expired as materialized (
          select ctid from webhook_subscriptions where former_secret_until < ${now}
          order by former_secret_until limit ${PRUNE_BATCH} for update skip locked
        )
        update webhook_subscriptions set former_secret = null, former_secret_until = null
        where ctid = any (array(select ctid from expired))
      `.execute(tx);
      return Number(numAffectedRows);
    });
    if (!forgotten) return;
    yield forgotten;
  }
}
