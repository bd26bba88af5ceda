import type { Database, Queryable } from '../../../db/schema.js';
import { tenantTransaction } from '../../../db/tenant-isolation/tenant-transaction.js';
import type { Actor } from './actor.js';
import { findStoredResult, withIdempotency } from './idempotency.js';
import { createTenantConcurrencyLimit, type TenantConcurrencyLimit } from './tenant-concurrency.js';
import type { TenantScope } from './tenant-scope.js';

/** Blocked writes hold connections; one tenant must not exhaust the pool. */
const WRITES_PER_TENANT = 6;
const limits = new WeakMap<Database, TenantConcurrencyLimit>();

function concurrencyLimitOf(db: Database): TenantConcurrencyLimit {
  const known = limits.get(db) ?? createTenantConcurrencyLimit(WRITES_PER_TENANT);
  limits.set(db, known);
  return known;
}

/**
 * Runs a write in one transaction: under row-level security if there is a tenant, idempotent if there is an
 * Idempotency-Key. The result is what the client gets, also on a retry.
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
 * The stored result of an earlier call, for writes with expensive preparation. If undefined, writeTransaction
 * checks again.
 */
export async function findIdempotentResult<T>(
  db: Database,
  { scope, actor }: { scope: Pick<TenantScope, 'tenantId'>; actor: Actor },
): Promise<{ result: T } | undefined> {
  const { idempotency } = actor;
  return idempotency && findStoredResult(db, { tenantId: scope.tenantId ?? '', actor, idempotency });
}
