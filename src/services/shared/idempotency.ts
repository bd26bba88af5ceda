import { deserialize, serialize } from 'node:v8';
import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import { conflict, invalid } from '../../errors/errors.js';
import type { Actor, IdempotencyContext } from './actor.js';
import { tryAcquireLock } from './advisory-lock.js';

const RETENTION_HOURS = 24;
/** Stored results expire after a day. */
export const IDEMPOTENCY_RETENTION_MS = RETENTION_HOURS * 3_600_000;

interface IdempotentCall {
  tenantId: string;
  actor: Actor;
  idempotency: IdempotencyContext;
}

/**
 * Runs `work` at most once per idempotency key: a retry gets the stored result. The result is stored in the
 * transaction of the work. Failed work stores nothing and may be retried.
 */
export async function withIdempotency<T>(
  tx: Queryable,
  { tenantId, actor, idempotency }: IdempotentCall,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const caller = idempotencyOwner(actor);
  const isFree = await tryAcquireLock(tx, 'idempotency', tenantId, caller, idempotency.key);
  if (!isFree) throw conflict(STILL_RUNNING, ['Idempotency-Key'], 'idempotency_key_in_use');
  const earlier = await findStoredResult<T>(tx, { tenantId, actor, idempotency });
  if (earlier) return earlier.result;
  const result = await work(tx);
  const answer = {
    fingerprint: idempotency.fingerprint,
    // Unlike JSON, v8 serialization keeps dates and undefined.
    result: serialize(result),
    createdTime: sql<Date>`now()`,
  };
  await tx
    .insertInto('idempotencyKeys')
    .values({ tenantId, caller, key: idempotency.key, ...answer })
    .onConflict((expired) =>
      expired.columns(['tenantId', 'caller', 'key']).doUpdateSet((eb) => ({
        fingerprint: eb.ref('excluded.fingerprint'),
        result: eb.ref('excluded.result'),
        createdTime: eb.ref('excluded.createdTime'),
      })),
    )
    .execute();
  return result;
}

/**
 * The result of an earlier call with the same key.
 *
 * @throws DomainError `invalid` if the key was used with another request
 */
export async function findStoredResult<T>(
  db: Queryable,
  { tenantId, actor, idempotency }: IdempotentCall,
): Promise<{ result: T } | undefined> {
  const earlier = await db
    .selectFrom('idempotencyKeys')
    .select(['fingerprint', 'result'])
    .where('tenantId', '=', tenantId)
    .where('caller', '=', idempotencyOwner(actor))
    .where('key', '=', idempotency.key)
    .where('createdTime', '>=', sql<Date>`now() - make_interval(hours => ${RETENTION_HOURS})`)
    .executeTakeFirst();
  if (!earlier) return undefined;
  if (!earlier.fingerprint.equals(idempotency.fingerprint)) {
    throw invalid(OTHER_REQUEST, ['Idempotency-Key'], 'idempotency_key_reused');
  }
  idempotency.onReplay?.();
  return { result: deserialize(earlier.result) as T };
}

/**
 * Whose the key is: the API key's or the token's user's, empty without both, and the user's that it acts for. What is
 * written names that user, so the same request on behalf of another is another one, and no user can take a key from another.
 */
function idempotencyOwner({ keyId, userKey, userId }: Actor): string {
  const caller = keyId ?? userKey ?? '';
  return userId === undefined ? caller : `${caller} ${userId}`;
}

const STILL_RUNNING = 'The first request with this Idempotency-Key is still running; try again in a moment.';
const OTHER_REQUEST =
  'This Idempotency-Key was already used for another request; use a new key for each request.';
