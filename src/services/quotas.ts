import { sql } from 'kysely';
import type { Queryable } from '../../db/schema.js';
import { conflict } from '../errors.js';

/** How much each tenant may have; as much as it likes where undefined. */
export interface QuotaLimits {
  documents: number | undefined;
  chunks: number | undefined;
  /** Of files and inline text. */
  bytes: number | undefined;
}
export type Quota = keyof QuotaLimits;

export type Quotas = ReturnType<typeof createQuotas>;

const NAMES: Record<Quota, string> = { documents: 'documents', chunks: 'chunks', bytes: 'stored bytes' };

/** What a tenant has is counted by triggers, in the transaction of the change. */
export function createQuotas(limits: QuotaLimits) {
  return { assertKept, isKept };

  /**
   * To be called at the end of a transaction that may have added something.
   *
   * @throws DomainError `conflict` when the tenant has more than it may have now
   */
  async function assertKept(tx: Queryable, tenantId: string, quotas: Quota[]): Promise<void> {
    const exceeded = await findExceeded(tx, tenantId, quotas);
    if (!exceeded) return;
    const message = `This tenant may have ${limits[exceeded]} ${NAMES[exceeded]}, and no more. Delete what is no longer needed, or have the quota raised.`;
    throw conflict(message, [], `quota_exceeded.${exceeded}`);
  }

  async function isKept(tx: Queryable, tenantId: string, quotas: Quota[]): Promise<boolean> {
    return (await findExceeded(tx, tenantId, quotas)) === undefined;
  }

  async function findExceeded(tx: Queryable, tenantId: string, quotas: Quota[]): Promise<Quota | undefined> {
    const limited = quotas.filter((quota) => limits[quota] !== undefined);
    if (limited.length === 0) return undefined;
    // One after the other, so that what another transaction adds is either counted or not there yet.
    const lock = JSON.stringify(['quota', tenantId]);
    await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
    const { rows } = await sql<Record<Quota, number>>`
      select coalesce(sum(documents), 0)::bigint as documents, coalesce(sum(chunks), 0)::bigint as chunks,
        coalesce(sum(bytes), 0)::bigint as bytes
      from tenant_usage where tenant_id = ${tenantId}
    `.execute(tx);
    return limited.find((quota) => (rows[0]?.[quota] ?? 0) > (limits[quota] as number));
  }
}
