import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Queryable } from '../../../../db/schema.js';

/** While a change waits for its lock, all writes wait for it. */
const LOCK_TIMEOUT = '500ms';
const ATTEMPTS = 20;
const RETRY_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Changes partitions of the audit log, in a transaction: for a moment nobody else reads or writes it. A long transaction of
 * somebody else delays it.
 *
 * @param change may be done again
 * @throws what PostgreSQL says where the lock was not to be had for some time
 */
export async function changePartitions(
  db: Database,
  change: (tx: Queryable) => Promise<unknown>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await db.transaction().execute(async (tx) => {
        await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx);
        await change(tx);
      });
      return;
    } catch (error) {
      const isBusy = (error as { code?: string }).code === LOCK_NOT_AVAILABLE;
      if (!isBusy || attempt === ATTEMPTS) throw error;
      await delay(RETRY_MS);
    }
  }
}
