import type { Queryable } from '../../../db/schema.js';
import { conflict } from '../../errors/errors.js';
import { acquireLock } from './advisory-lock.js';
import { readUsage, type TenantUsage } from './tenant-usage.js';

/** Quotas per tenant; unlimited if undefined. */
export type QuotaLimits = Record<Quota, number | undefined>;
export type Quota = keyof TenantUsage;

export type Quotas = ReturnType<typeof createQuotas>;

const NAMES: Record<Quota, string> = { documents: 'documents', chunks: 'chunks', bytes: 'stored bytes' };

/** Tenant quotas. Usage is counted in the transaction of the change (src/derived-data). */
export function createQuotas(limits: QuotaLimits) {
  return {
    assertWithinQuota,
    assertRoomForChunks,
    isWithinQuota,
    remainingBytes,
    throwQuotaExceeded,
  };

  /**
   * Call it at the end of a transaction that may add usage.
   *
   * @throws DomainError `conflict` if a quota is exceeded
   */
  async function assertWithinQuota(tx: Queryable, tenantId: string, quotas: Quota[]): Promise<void> {
    const exceeded = await find(tx, tenantId, quotas, (used, limit) => used > limit);
    if (exceeded) throwQuotaExceeded(exceeded);
  }

  /**
   * The number of chunks is not known before parsing; at least one.
   *
   * @throws DomainError `conflict` if the quota is used up
   */
  async function assertRoomForChunks(tx: Queryable, tenantId: string): Promise<void> {
    const reached = await find(tx, tenantId, ['chunks'], (used, limit) => used >= limit);
    if (reached) throwQuotaExceeded(reached);
  }

  async function isWithinQuota(tx: Queryable, tenantId: string, quotas: Quota[]): Promise<boolean> {
    return (await find(tx, tenantId, quotas, (used, limit) => used > limit)) === undefined;
  }

  /** Remaining bytes of the tenant's quota (snapshot); infinite without quota. */
  async function remainingBytes(db: Queryable, tenantId: string): Promise<number> {
    if (limits.bytes === undefined) return Number.POSITIVE_INFINITY;
    const { bytes } = await readUsage(db, tenantId);
    return Math.max(0, limits.bytes - bytes);
  }

  /** @throws DomainError `conflict`, always */
  function throwQuotaExceeded(quota: Quota): never {
    const message = `This tenant may have ${limits[quota]} ${NAMES[quota]}, and no more. Delete documents that are no longer needed, or have the quota raised.`;
    throw conflict(message, [], `quota_exceeded.${quota}`);
  }

  async function find(
    tx: Queryable,
    tenantId: string,
    quotas: Quota[],
    isSo: (used: number, limit: number) => boolean,
  ): Promise<Quota | undefined> {
    const limited = quotas.filter((quota) => limits[quota] !== undefined);
    if (limited.length === 0) return undefined;
    // Serialized by a lock, so that concurrent changes are counted.
    await acquireLock(tx, 'quota', tenantId);
    const used = await readUsage(tx, tenantId);
    return limited.find((quota) => isSo(used[quota], limits[quota] as number));
  }
}
