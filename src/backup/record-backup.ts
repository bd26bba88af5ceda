import type { Database } from '../../db/schema.js';

/** Records that a backup is complete, for those who watch that backups are made. */
export async function recordBackup(db: Database, time: Date): Promise<void> {
  await db
    .insertInto('lastBackup')
    .values({ time })
    .onConflict((conflict) => conflict.column('onlyRow').doUpdateSet({ time }))
    .execute();
}
