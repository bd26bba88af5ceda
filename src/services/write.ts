import type { Database, Queryable } from '../../db/schema.js';
import { inTenant } from '../../db/tenant-transaction.js';
import type { Actor } from './actor.js';
import { once } from './idempotency.js';
import type { Scope } from './scope.js';

/**
 * Does a write: in one transaction, behind the second wall where a tenant is named, and once where the caller may
 * send it again. What `work` returns is what the caller is answered, now and then.
 */
export function write<T>(
  db: Database,
  { scope, actor }: { scope: Pick<Scope, 'tenantId'>; actor: Actor },
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const { tenantId } = scope;
  const run = (tx: Queryable) =>
    actor.retry ? once(tx, { tenantId: tenantId ?? '', actor, retry: actor.retry }, work) : work(tx);
  return tenantId === undefined ? db.transaction().execute(run) : inTenant(db, tenantId, run);
}
