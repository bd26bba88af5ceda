import type { Database, Queryable } from '../../db/schema.js';
import { inTenant } from '../../db/tenant-transaction.js';
import type { Actor } from './actor.js';
import { findEarlier, once } from './idempotency.js';
import type { Scope } from './scope.js';
import { createWriteTurns, type InTurn } from './write-turns.js';

/** Writes that wait for each other hold a connection each; one tenant's must leave enough for the others. */
const WRITES_PER_TENANT = 6;
const turns = new WeakMap<Database, InTurn>();

function turnsOf(db: Database): InTurn {
  const known = turns.get(db) ?? createWriteTurns(WRITES_PER_TENANT);
  turns.set(db, known);
  return known;
}

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
  return turnsOf(db)(tenantId ?? '', () =>
    tenantId === undefined ? db.transaction().execute(run) : inTenant(db, tenantId, run),
  );
}

/**
 * The answer of an earlier call, for a write with more to do before it begins. Undefined where there is none: then it
 * has to be asked for again, in `write`.
 */
export async function recall<T>(
  db: Database,
  { scope, actor }: { scope: Pick<Scope, 'tenantId'>; actor: Actor },
): Promise<{ result: T } | undefined> {
  const { retry } = actor;
  return retry && findEarlier(db, { tenantId: scope.tenantId ?? '', actor, retry });
}
