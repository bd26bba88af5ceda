import type { Database } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';

/** Deletes expired sessions. */
export async function sweepSessions(db: Database, now: Date): Promise<void> {
  await unscoped(db, 'Sessions of all tenants expire.')
    .deleteFrom('sessions')
    .where('expiresTime', '<=', now)
    .execute();
}
