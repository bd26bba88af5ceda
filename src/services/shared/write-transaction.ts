import type { Database, Queryable } from '../../../db/schema.js';
import { tenantTransaction } from '../../../db/tenant-isolation/tenant-transaction.js';
import type { Actor } from './actor.js';
import { findStoredResult, withIdempotency } from './idempotency.js';
import { createTenantConcurrencyLimit, type TenantConcurrencyLimit } from './tenant-concurrency.js';
import type { TenantScope } from './tenant-scope.js';

/** Writes that wait for each other hold a connection each; one tenant's must leave enough for the others. */
const WRITES_PER_TENANT = 6;
const limits = new WeakMap<Database, TenantConcurrencyLimit>();

function concurrencyLimitOf(db: Database): TenantConcurrencyLimit {
  const known = limits.get(db) ?? createTenantConcurrencyLimit(WRITES_PER_TENANT);
  limits.set(db, known);
  return known;
}

/**
 * Does a write: in one transaction, behind the second wall where a tenant is named, and once where the caller may
 * send it again. What `work` returns is what the caller is answered, now and then.
 */
export function writeTransaction<T>(
  db: Database,
  { scope, actor }: { scope: Pick<TenantScope, 'tenantId'>; actor: Actor },
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const { tenantId } = scope;
  const run = (tx: Queryable) =>
    actor.idempotency
      ? withIdempotency(tx, { tenantId: tenantId ?? '', actor, idempotency: actor.idempotency }, work)
      : work(tx);
  return concurrencyLimitOf(db)(tenantId ?? '', () =>
    tenantId === undefined ? db.transaction().execute(run) : tenantTransaction(db, tenantId, run),
  );
}

/**
 * The answer of an earlier call, for a write with more to do before it begins. Undefined where there is none: then it
 * has to be asked for again, in `write`.
 */
export async function findIdempotentResult<T>(
  db: Database,
  { scope, actor }: { scope: Pick<TenantScope, 'tenantId'>; actor: Actor },
): Promise<{ result: T } | undefined> {
  const { idempotency } = actor;
  return idempotency && findStoredResult(db, { tenantId: scope.tenantId ?? '', actor, idempotency });
}
