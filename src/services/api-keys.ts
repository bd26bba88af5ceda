import { type ExpressionBuilder, type ExpressionWrapper, type Selectable, type SqlBool, sql } from 'kysely';
import type { ApiKeyTable, Database, Queryable, Schema } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-wall/unscoped.js';
import { conflict, forbidden, invalid, notFound } from '../errors.js';
import type { KeyAccess, Permission } from './access.js';
import type { Actor } from './actor.js';
import { formatKey, hashSecret, type KeyParts, makeKey } from './api-key-text.js';
import type {
  ApiKey,
  ApiKeyRef,
  ApiKeyRotation,
  IssuedApiKey,
  NewApiKey,
  RotatedApiKey,
} from './api-keys.schema.js';
import { recordWrites } from './audit.js';
import { assertWithin, offsetOf, type Page, type PageRequest, toPage } from './paging.js';
import type { Scope } from './scope.js';
import { write } from './write.js';

export interface ApiKeysDependencies {
  db: Database;
  clock: () => Date;
  maxPageSize: number;
}

export type ApiKeys = ReturnType<typeof createApiKeys>;

type Row = Selectable<ApiKeyTable>;

/** API keys. A caller with a key of its own sees and makes only keys that reach no further than that. */
export function createApiKeys({ db, clock, maxPageSize }: ApiKeysDependencies) {
  const everywhere = unscoped(db, 'Those who run the service tend the keys of all tenants.');
  return { create, list, rotate, revoke, countUsable, findTenant };

  /** @throws DomainError `forbidden` when the maker lacks a scope that it grants */
  async function create(input: NewApiKey, actor: Actor, maker?: KeyAccess): Promise<IssuedApiKey> {
    const lacking = input.scopes.findIndex((scope) => !mayGrant(maker, scope));
    if (lacking >= 0) {
      throw forbidden(`This API key may not grant the scope ${input.scopes[lacking]}: it lacks it itself.`, [
        'scopes',
        lacking,
      ]);
    }
    const now = clock();
    const expiresTime = expiryOf(input, now);
    const { tenantId, tenantUnitId, datasetIds } = input.scope;
    return write(db, { scope: { tenantId }, actor: neverRepeated(actor) }, async (tx) => {
      const issued = await insert(tx, {
        tenantId,
        tenantUnitIds: tenantUnitId === undefined ? null : [tenantUnitId].flat(),
        datasetIds: input.datasetIds ?? (datasetIds ? [...datasetIds] : null),
        scopes: input.scopes,
        name: input.name,
        createdTime: now,
        createdBy: actor.keyId ?? null,
        expiresTime,
      });
      await record(tx, issued.row, actor, { action: 'apiKeys.create', after: bindingOf(issued.row) });
      return toIssued(issued, now);
    });
  }

  /** Newest first; those of all tenants where none is named, which the command line alone may do. */
  async function list(filter: { scope: Scope } & PageRequest): Promise<Page<ApiKey>> {
    assertWithin(maxPageSize, filter.pageSize, 'pageSize');
    const matching = (filter.scope.tenantId === undefined ? everywhere : db)
      .selectFrom('apiKeys')
      .where(withinReach(filter.scope));
    const [{ count }, rows] = await Promise.all([
      matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
      matching
        .selectAll()
        .orderBy('createdTime', 'desc')
        .orderBy('id', 'desc')
        .limit(filter.pageSize)
        .offset(offsetOf(filter))
        .execute(),
    ]);
    const now = clock();
    return toPage(
      filter,
      rows.map((row) => toApiKey(row, now)),
      count,
    );
  }

  /**
   * Makes a key that takes another's place, with the same reach and a life as long. Both serve until the overlap is
   * over.
   *
   * @throws DomainError `conflict` when the key serves nobody any more, or has a successor already
   */
  async function rotate(
    { scope, keyId, overlap }: ApiKeyRotation,
    actor: Actor,
    maker?: KeyAccess,
  ): Promise<RotatedApiKey> {
    return write(db, { scope, actor: neverRepeated(actor) }, async (tx) => {
      const before = await lock(tx, { scope, keyId });
      const now = clock();
      assertRotatable(before, now);
      // Otherwise whoever may manage keys could get the secret of one that may do more.
      const lacking = before.scopes.find((one) => !mayGrant(maker, one as Permission));
      if (lacking) {
        throw forbidden(`This API key may not rotate one with the scope ${lacking}: it lacks it itself.`, [
          'keyId',
        ]);
      }
      const { createdTime, expiresTime } = before;
      const issued = await insert(tx, {
        ...bindingOf(before),
        tenantId: before.tenantId,
        createdTime: now,
        createdBy: actor.keyId ?? null,
        expiresTime: expiresTime && later(now, expiresTime.getTime() - createdTime.getTime()),
      });
      const end = later(now, overlap);
      const former = await tx
        .updateTable('apiKeys')
        .set({
          successorId: issued.row.id,
          expiresTime: expiresTime && expiresTime < end ? expiresTime : end,
        })
        .where('id', '=', keyId)
        .where(withinReach(scope))
        .returningAll()
        .executeTakeFirstOrThrow();
      await record(tx, former, actor, {
        action: 'apiKeys.rotate',
        before: { expiresTime },
        after: { expiresTime: former.expiresTime, successorId: former.successorId },
      });
      return { ...toIssued(issued, now), former: toApiKey(former, now) };
    });
  }

  /** From the next request on the key serves nobody. A key that is revoked already stays so. */
  async function revoke({ scope, keyId }: ApiKeyRef, actor: Actor): Promise<ApiKey> {
    return write(db, { scope, actor }, async (tx) => {
      const before = await lock(tx, { scope, keyId });
      const now = clock();
      if (before.revokedTime) return toApiKey(before, now);
      const row = await tx
        .updateTable('apiKeys')
        .set({ revokedTime: now })
        .where('id', '=', keyId)
        .where(withinReach(scope))
        .returningAll()
        .executeTakeFirstOrThrow();
      await record(tx, row, actor, {
        action: 'apiKeys.revoke',
        after: { revokedTime: now },
      });
      return toApiKey(row, now);
    });
  }

  /** How many keys of all tenants serve somebody. */
  async function countUsable(): Promise<number> {
    const { count } = await everywhere
      .selectFrom('apiKeys')
      .where('revokedTime', 'is', null)
      .where((eb) => eb.or([eb('expiresTime', 'is', null), eb('expiresTime', '>', clock())]))
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  /** The tenant of a key, for those who run the service and know its id alone. */
  async function findTenant(keyId: string): Promise<string> {
    const { tenantId } = await everywhere
      .selectFrom('apiKeys')
      .select('tenantId')
      .where('id', '=', keyId)
      .executeTakeFirstOrThrow(missing);
    return tenantId;
  }
}

type NewRow = Omit<Row, 'id' | 'secretHash' | 'lastUsedTime' | 'revokedTime' | 'successorId'>;
interface Issued {
  row: Row;
  parts: KeyParts;
}

async function insert(tx: Queryable, fields: NewRow): Promise<Issued> {
  const parts = makeKey();
  const row = await tx
    .insertInto('apiKeys')
    .values({ ...fields, id: parts.id, secretHash: hashSecret(parts.secret) })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, parts };
}

const lock = (tx: Queryable, { scope, keyId }: { scope: Scope; keyId: string }): Promise<Row> =>
  tx
    .selectFrom('apiKeys')
    .selectAll()
    .where('id', '=', keyId)
    .where(withinReach(scope))
    .forUpdate()
    .executeTakeFirstOrThrow(missing);

function assertRotatable({ successorId, revokedTime, expiresTime }: Row, now: Date): void {
  const refuse = (why: string) => conflict(why, ['keyId']);
  if (revokedTime) throw refuse('This API key is revoked; create another one.');
  if (successorId) throw refuse(`This API key was rotated already: ${successorId} takes its place.`);
  if (expiresTime && expiresTime <= now) throw refuse('This API key has expired; create another one.');
}

/** A key reaches no further than a scope if each of its units and datasets lies within. */
const withinReach = ({ tenantId, tenantUnitId, datasetIds }: Scope) => {
  const units = tenantUnitId === undefined ? undefined : [tenantUnitId].flat();
  return (eb: ExpressionBuilder<Schema, 'apiKeys'>): ExpressionWrapper<Schema, 'apiKeys', SqlBool> =>
    eb.and([
      ...(tenantId === undefined ? [] : [eb('tenantId', '=', tenantId)]),
      ...(units ? [sql<SqlBool>`tenant_unit_ids <@ ${units}::text[]`] : []),
      ...(datasetIds ? [sql<SqlBool>`dataset_ids <@ ${datasetIds}::text[]`] : []),
    ]);
};

const mayGrant = (maker: KeyAccess | undefined, scope: Permission): boolean =>
  !maker || maker.permissions.includes(scope);

/** A call that is sent again would need its answer kept, and with it the secret, which is kept nowhere. */
const neverRepeated = (actor: Actor): Actor => ({ ...actor, retry: undefined });

function expiryOf({ expiresIn, expiresTime }: NewApiKey, now: Date): Date | null {
  const expiry = expiresIn === undefined ? expiresTime : later(now, expiresIn);
  if (!expiry) return null;
  if (expiry > now) return expiry;
  throw invalid('must lie in the future', [expiresIn === undefined ? 'expiresTime' : 'expiresIn']);
}

const later = (time: Date, ms: number) => new Date(time.getTime() + ms);

const bindingOf = ({ name, scopes, tenantUnitIds, datasetIds, expiresTime }: Row) => ({
  name,
  scopes,
  tenantUnitIds,
  datasetIds,
  expiresTime,
});

const toIssued = ({ row, parts }: Issued, now: Date): IssuedApiKey => ({
  ...toApiKey(row, now),
  key: formatKey(parts),
});

function toApiKey({ secretHash: _, scopes, ...row }: Row, now: Date): ApiKey {
  const isExpired = row.expiresTime !== null && row.expiresTime <= now;
  const status = row.revokedTime ? 'revoked' : isExpired ? 'expired' : 'active';
  return { ...row, scopes: scopes as Permission[], status };
}

const record = (
  tx: Queryable,
  { id, tenantId, tenantUnitIds }: Row,
  actor: Actor,
  entry: { action: string; before?: object; after?: object },
) => {
  const [unit, ...more] = tenantUnitIds ?? [];
  const tenantUnitId = unit !== undefined && more.length === 0 ? unit : null;
  return recordWrites(tx, tenantId, actor, [{ ...entry, subject: { type: 'apiKey', id }, tenantUnitId }]);
};

const missing = () => notFound('API key', ['keyId']);
