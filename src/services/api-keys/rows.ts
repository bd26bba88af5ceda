import {
  type ExpressionBuilder,
  type ExpressionWrapper,
  type Insertable,
  type RawBuilder,
  type Selectable,
  type SqlBool,
  sql,
} from 'kysely';
import type { ApiKeyTable, Queryable, Schema } from '../../../db/schema.js';
import { type ApiKeyParts, formatApiKey, generateApiKey, hashSecret } from '../../auth/api-key-format.js';
import { apiKeyStatus } from '../../auth/api-key-status.js';
import { toPermissions } from '../../auth/permissions.js';
import { notFound } from '../../errors/errors.js';
import { auditWrites } from '../audit/audit.js';
import type { Actor } from '../shared/actor.js';
import type { TenantScope } from '../shared/tenant-scope.js';
import { auditedUnit, withinTenantUnits } from '../shared/tenant-units.js';
import type { ApiKey, IssuedApiKey, KeyExpiry } from './api-keys.schema.js';

export type ApiKeyRow = Selectable<ApiKeyTable>;
type NewKeyRow = Omit<
  Insertable<ApiKeyTable>,
  'id' | 'secretHash' | 'lastUsedTime' | 'revokedTime' | 'successorId'
>;
interface Issued {
  row: ApiKeyRow;
  parts: ApiKeyParts;
}

export async function insertApiKey(tx: Queryable, fields: NewKeyRow): Promise<Issued> {
  const parts = generateApiKey();
  const row = await tx
    .insertInto('apiKeys')
    .values({ ...fields, id: parts.id, secretHash: hashSecret(parts.secret) })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, parts };
}

/** Whether anybody could make what `actor` makes: without a key, or with one that was made so. Operators are known. */
export async function isMadeInOpenMode(
  tx: Queryable,
  tenantId: string,
  { keyId, isAnonymous = false }: Actor,
): Promise<boolean> {
  if (keyId === undefined) return isAnonymous;
  const maker = await tx
    .selectFrom('apiKeys')
    .select('madeInOpenMode')
    .where('tenantId', '=', tenantId)
    .where('id', '=', keyId)
    .executeTakeFirst();
  return maker?.madeInOpenMode ?? false;
}

/** Selects a key for update. */
export const lockApiKey = (
  tx: Queryable,
  { scope, keyId }: { scope: TenantScope; keyId: string },
): Promise<ApiKeyRow> =>
  tx
    .selectFrom('apiKeys')
    .selectAll()
    .where('id', '=', keyId)
    .where(withinKeyScope(scope))
    .forUpdate()
    .executeTakeFirstOrThrow(apiKeyNotFound);

/** Keys whose tenant, units and datasets all lie within the scope. */
export const withinKeyScope = (scope: TenantScope) => {
  const { tenantId, datasetIds } = scope;
  return (eb: ExpressionBuilder<Schema, 'apiKeys'>): ExpressionWrapper<Schema, 'apiKeys', SqlBool> =>
    eb.and([
      ...(tenantId === undefined ? [] : [eb('tenantId', '=', tenantId)]),
      withinTenantUnits(scope),
      ...(datasetIds ? [sql<SqlBool>`dataset_ids <@ ${datasetIds}::text[]`] : []),
    ]);
};

const EXPIRY_DAYS = 14;

/** Condition: keys that are about to expire, or have just expired, and that neither another key replaces nor anybody revoked. */
export function expiresAround(now: Date, expiry: KeyExpiry | undefined): RawBuilder<SqlBool> {
  const days = sql`${EXPIRY_DAYS} * interval '1 day'`;
  const within =
    expiry === 'soon'
      ? sql`expires_time > ${now} and expires_time <= ${now}::timestamptz + ${days}`
      : sql`expires_time <= ${now} and expires_time > ${now}::timestamptz - ${days}`;
  return sql<SqlBool>`(revoked_time is null and successor_id is null and ${within})`;
}

/** The fields that a rotated key inherits. */
export const keyRestrictions = ({ name, scopes, tenantUnitIds, datasetIds, expiresTime }: ApiKeyRow) => ({
  name,
  scopes,
  tenantUnitIds,
  datasetIds,
  expiresTime,
});

export const toIssuedApiKey = ({ row, parts }: Issued, now: Date): IssuedApiKey => ({
  ...toApiKey(row, now),
  key: formatApiKey(parts),
});

export function toApiKey({ secretHash: _, ...row }: ApiKeyRow, now: Date): ApiKey {
  return { ...row, scopes: toPermissions(row.scopes), status: apiKeyStatus(row, now) };
}

/** Audits a change of a key. */
export const auditApiKey = (
  tx: Queryable,
  { id, tenantId, tenantUnitIds }: ApiKeyRow,
  actor: Actor,
  entry: { action: string; before?: object; after?: object },
): Promise<void> =>
  auditWrites(tx, tenantId, actor, [
    { ...entry, subject: { type: 'apiKey', id }, tenantUnitId: auditedUnit(tenantUnitIds) },
  ]);

export const apiKeyNotFound = () => notFound('API key', ['keyId']);
