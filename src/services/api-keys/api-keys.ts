import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { apiKeyStatus, isActiveKey } from '../../auth/api-key-status.js';
import { KEY_CACHE_MS, keyCachesExpired } from '../../auth/key-cache.js';
import { credentialName, type KeyAccess, toPermissions } from '../../auth/permissions.js';
import { conflict, forbidden } from '../../errors/errors.js';
import { type Actor, authorOf } from '../shared/actor.js';
import { assertAtMost, offsetOf, type Page, toPage } from '../shared/pagination.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import type {
  ApiKey,
  ApiKeyFilter,
  ApiKeyRef,
  ApiKeyRotation,
  IssuedApiKey,
  NewApiKey,
  RotatedApiKey,
} from './api-keys.schema.js';
import { addMs, earlierTime, mayGrant, newKeyExpiry, rotatedKeyExpiry } from './grants.js';
import {
  type ApiKeyRow,
  apiKeyNotFound,
  auditApiKey,
  expiresAround,
  insertApiKey,
  isMadeInOpenMode,
  keyRestrictions,
  lockApiKey,
  toApiKey,
  toIssuedApiKey,
  withinKeyScope,
} from './rows.js';

const SORT_KEYS = {
  createdTime: sql`created_time`,
  name: sql`lower(name)`,
  lastUsedTime: sql`coalesce(last_used_time, '-infinity')`,
  expiresTime: sql`coalesce(expires_time, 'infinity')`,
};

export interface ApiKeysDependencies {
  db: Database;
  writeTransaction: WriteTransaction;
  clock: () => Date;
  maxPageSize: number;
}

export type ApiKeys = ReturnType<typeof createApiKeys>;

/** API keys. A key can only see and create keys within its own permissions, scope and expiry. */
export function createApiKeys({ db, writeTransaction, clock, maxPageSize }: ApiKeysDependencies) {
  const everywhere = unscoped(db, 'Operators manage the keys of all tenants.');
  return { create, list, rotate, revoke, countActive, findTenant };

  /** @throws DomainError `forbidden` if the creator lacks a permission that it grants, or expires earlier */
  async function create(input: NewApiKey, actor: Actor, maker?: KeyAccess): Promise<IssuedApiKey> {
    const lacking = input.scopes.findIndex((scope) => !mayGrant(maker, scope));
    if (lacking >= 0) {
      throw forbidden(
        `${credentialName(maker)} may not grant the scope ${input.scopes[lacking]}: it lacks it itself.`,
        ['scopes', lacking],
      );
    }
    const now = clock();
    const expiresTime = newKeyExpiry(input, now, maker);
    const { tenantId, tenantUnitId, datasetIds } = input.scope;
    return writeTransaction({ scope: { tenantId }, actor: withoutIdempotency(actor) }, async (tx) => {
      const issued = await insertApiKey(tx, {
        tenantId,
        tenantUnitIds: tenantUnitId === undefined ? null : [tenantUnitId].flat(),
        datasetIds: input.datasetIds ?? (datasetIds ? [...datasetIds] : null),
        scopes: input.scopes,
        name: input.name,
        createdTime: now,
        createdBy: makerOf(actor),
        expiresTime,
        madeInOpenMode: await isMadeInOpenMode(tx, tenantId, actor),
      });
      await auditApiKey(tx, issued.row, actor, {
        action: 'apiKeys.create',
        after: { ...keyRestrictions(issued.row), ...openModeMark(issued.row) },
      });
      return toIssuedApiKey(issued, now);
    });
  }

  /** Without a tenant (command line only) those of all tenants. */
  async function list(filter: ApiKeyFilter): Promise<Page<ApiKey>> {
    assertAtMost(maxPageSize, filter.pageSize, 'pageSize');
    const { order = 'createdTime', direction = 'desc' } = filter;
    const now = clock();
    const matching = (filter.scope.tenantId === undefined ? everywhere : db)
      .selectFrom('apiKeys')
      .where(withinKeyScope(filter.scope))
      .$if(filter.expiry !== undefined, (keys) => keys.where(expiresAround(now, filter.expiry)))
      .$if(filter.datasetId !== undefined, (keys) =>
        keys.where(sql<boolean>`${filter.datasetId} = any(dataset_ids)`),
      );
    const [{ count }, rows] = await Promise.all([
      matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
      matching
        .selectAll()
        .orderBy(SORT_KEYS[order], direction)
        .orderBy('id', direction)
        .limit(filter.pageSize)
        .offset(offsetOf(filter))
        .execute(),
    ]);
    return toPage(
      filter,
      rows.map((row) => toApiKey(row, now)),
      count,
    );
  }

  /**
   * Rotates a key: the new one has the same permissions, scope and lifetime. Both are valid until the overlap
   * ends. A creator that expires cannot extend its own lifetime or that of others.
   *
   * @throws DomainError `conflict` if the key is revoked, expired or already rotated
   */
  async function rotate(
    { scope, keyId, overlap }: ApiKeyRotation,
    actor: Actor,
    maker?: KeyAccess,
  ): Promise<RotatedApiKey> {
    const rotated = await writeTransaction({ scope, actor: withoutIdempotency(actor) }, async (tx) => {
      const before = await lockApiKey(tx, { scope, keyId });
      const now = clock();
      assertRotatable(before, now);
      // Otherwise a key admin could obtain a key with more permissions.
      const lacking = toPermissions(before.scopes).find((one) => !mayGrant(maker, one));
      if (lacking) {
        throw forbidden(
          `${credentialName(maker)} may not rotate one with the scope ${lacking}: it lacks it itself.`,
          ['keyId'],
        );
      }
      const issued = await insertApiKey(tx, {
        ...keyRestrictions(before),
        tenantId: before.tenantId,
        createdTime: now,
        createdBy: makerOf(actor),
        expiresTime: rotatedKeyExpiry(before, now, maker),
        madeInOpenMode: await isMadeInOpenMode(tx, before.tenantId, actor),
      });
      const former = await tx
        .updateTable('apiKeys')
        .set({
          successorId: issued.row.id,
          expiresTime: earlierTime(before.expiresTime, addMs(now, overlap)),
        })
        .where('id', '=', keyId)
        .where(withinKeyScope(scope))
        .returningAll()
        .executeTakeFirstOrThrow();
      await auditApiKey(tx, former, actor, {
        action: 'apiKeys.rotate',
        before: { expiresTime: before.expiresTime },
        after: {
          expiresTime: former.expiresTime,
          successorId: former.successorId,
          ...openModeMark(issued.row),
        },
      });
      return { ...toIssuedApiKey(issued, now), former: toApiKey(former, now) };
    });
    if (overlap < KEY_CACHE_MS) await keyCachesExpired();
    return rotated;
  }

  /** Revokes a key. When this resolves, every process rejects it. Idempotent. */
  async function revoke({ scope, keyId }: ApiKeyRef, actor: Actor): Promise<ApiKey> {
    // A key that floods its tenant with writes must not delay its own end.
    const revoked = await writeTransaction({ scope, actor, isUrgent: true }, async (tx) => {
      const before = await lockApiKey(tx, { scope, keyId });
      const now = clock();
      if (before.revokedTime) return toApiKey(before, now);
      const row = await tx
        .updateTable('apiKeys')
        .set({ revokedTime: now })
        .where('id', '=', keyId)
        .where(withinKeyScope(scope))
        .returningAll()
        .executeTakeFirstOrThrow();
      await auditApiKey(tx, row, actor, {
        action: 'apiKeys.revoke',
        after: { revokedTime: now },
      });
      return toApiKey(row, now);
    });
    await keyCachesExpired();
    return revoked;
  }

  /** The number of active keys of all tenants. */
  async function countActive(): Promise<number> {
    const { count } = await everywhere
      .selectFrom('apiKeys')
      .where(isActiveKey(clock()))
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  /** The tenant of a key id, for operators. */
  async function findTenant(keyId: string): Promise<string> {
    const { tenantId } = await everywhere
      .selectFrom('apiKeys')
      .select('tenantId')
      .where('id', '=', keyId)
      .executeTakeFirstOrThrow(apiKeyNotFound);
    return tenantId;
  }
}

/** What the audit log tells of keys that anybody could make. */
const openModeMark = ({ madeInOpenMode }: ApiKeyRow) => madeInOpenMode && { madeInOpenMode };

function assertRotatable(row: ApiKeyRow, now: Date): void {
  const { successorId } = row;
  const status = apiKeyStatus(row, now);
  const refuse = (why: string) => conflict(why, ['keyId']);
  if (status === 'revoked') throw refuse('This API key is revoked; create another one.');
  if (successorId) throw refuse(`This API key was rotated already: ${successorId} takes its place.`);
  if (status === 'expired') throw refuse('This API key has expired; create another one.');
}

/** The key that makes another, or the user of a token. */
const makerOf = (actor: Actor): string | null =>
  actor.userKey === undefined ? (actor.keyId ?? null) : authorOf(actor);

/** Idempotent retries would require storing the secret. */
const withoutIdempotency = (actor: Actor): Actor => ({ ...actor, idempotency: undefined });
