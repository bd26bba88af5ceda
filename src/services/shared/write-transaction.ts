import type { Database, Queryable } from '../../../db/schema.js';
import { tenantTransaction } from '../../../db/tenant-isolation/tenant-transaction.js';
import { createConcurrencyLimit } from '../../async/concurrency-limit.js';
import type { Actor } from './actor.js';
import { findStoredResult, withIdempotency } from './idempotency.js';
import type { TenantScope } from './tenant-scope.js';

interface WriteContext {
  scope: Pick<TenantScope, 'tenantId'>;
  actor: Actor;
  /** Does not wait for other writes of the tenant. */
  isUrgent?: boolean;
}

/**
 * Runs a write in one transaction: under row-level security if there is a tenant, idempotent if there is an
 * Idempotency-Key. The result is what the client gets, also on a retry.
 */
export type WriteTransaction = <T>(context: WriteContext, work: (tx: Queryable) => Promise<T>) => Promise<T>;

/** Write transactions of a database, of which only `perTenant` of each tenant run at a time: blocked ones hold connections. */
export function createWriteTransaction(
  db: Database,
  { perTenant = Number.POSITIVE_INFINITY }: { perTenant?: number } = {},
): WriteTransaction {
  const limit = createConcurrencyLimit({ perKey: perTenant });

  return ({ scope: { tenantId }, actor, isUrgent = false }, work) => {
    const run = (tx: Queryable) =>
      actor.idempotency
        ? withIdempotency(tx, { tenantId: tenantId ?? '', actor, idempotency: actor.idempotency }, work)
        : work(tx);
    const write = () =>
      tenantId === undefined ? db.transaction().execute(run) : tenantTransaction(db, tenantId, run);
    return isUrgent ? write() : limit.run(tenantId ?? '', write, actor.signal);
  };
}

/**
 * The stored result of an earlier call, for writes with expensive preparation. If undefined, the write
 * transaction checks again.
 */
export async function findIdempotentResult<T>(
  db: Database,
  { scope, actor }: WriteContext,
): Promise<{ result: T } | undefined> {
  const { idempotency } = actor;
  return idempotency && findStoredResult(db, { tenantId: scope.tenantId ?? '', actor, idempotency });
}
