import { createHash, randomUUID } from 'node:crypto';
import type { Request } from 'express';
import { type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import type { SnakeCaseSchema } from '../snake-case-schema.js';

export type Tx = Transaction<SnakeCaseSchema>;

/**
 * Runs a write in a transaction, once for each Idempotency-Key of a tenant: a retry gets the stored result. Two at the
 * same time meet at the primary key, and the second one fails.
 */
export function once<T extends object>(
  db: Kysely<SnakeCaseSchema>,
  { req, tenant_id, input }: { req: Request; tenant_id: string; input: unknown },
  work: (tx: Tx) => Promise<T>,
): Promise<{ result: T; isReplay: boolean }> {
  const key = req.get('idempotency-key');
  return db.transaction().execute(async (tx) => {
    if (key === undefined) return { result: await work(tx), isReplay: false };
    const fingerprint = createHash('sha256')
      .update(req.originalUrl)
      .update('\0')
      .update(JSON.stringify(input))
      .digest();
    const caller = req.get('x-user-id') ?? '';
    const earlier = await tx
      .selectFrom('idempotency_keys')
      .select(['fingerprint', 'result'])
      .where('tenant_id', '=', tenant_id)
      .where('caller', '=', caller)
      .where('key', '=', key)
      .executeTakeFirst();
    if (earlier) {
      if (!earlier.fingerprint.equals(fingerprint)) throw new Error('The key belongs to another request.');
      return { result: JSON.parse(earlier.result.toString()) as T, isReplay: true };
    }
    const result = await work(tx);
    await tx
      .insertInto('idempotency_keys')
      .values({
        tenant_id,
        caller,
        key,
        fingerprint,
        result: Buffer.from(JSON.stringify(result)),
        created_time: new Date(),
      })
      .execute();
    return { result, isReplay: false };
  });
}

/** Adds to the audit log, in the transaction of the change. */
export async function audit(
  tx: Tx,
  req: Request,
  entry: Omit<
    Insertable<SnakeCaseSchema['audit_events']>,
    'key_id' | 'user_id' | 'address' | 'request_id' | 'id' | 'time'
  >,
): Promise<void> {
  await tx
    .insertInto('audit_events')
    .values({
      ...entry,
      key_id: null,
      user_id: req.get('x-user-id') ?? null,
      address: req.ip ?? null,
      request_id: req.get('x-request-id') ?? randomUUID(),
    })
    .execute();
}

interface Event {
  tenant_id: string;
  tenant_unit_id: string;
  type: string;
  subject_id: string;
  data: object;
}

/** Writes an event for each webhook that subscribes to it, in the transaction of the change. */
export async function emit(tx: Tx, { tenant_id, tenant_unit_id, type, subject_id, data }: Event) {
  const payload = JSON.stringify({
    type,
    timestamp: new Date().toISOString(),
    data: { tenantId: tenant_id, tenantUnitId: tenant_unit_id, ...data },
  });
  await sql`
    insert into webhook_deliveries (id, tenant_id, subscription_id, event_id, event_type, subject_id, payload,
      created_time, next_attempt_time)
    select gen_random_uuid()::text, tenant_id, id, ${randomUUID()}, ${type}, ${subject_id}, ${payload}, now(), now()
    from webhook_subscriptions
    where tenant_id = ${tenant_id} and enabled and ${type} = any(event_types)
      and (tenant_unit_ids is null or ${tenant_unit_id} = any(tenant_unit_ids))
  `.execute(tx);
}
