import { type ExpressionBuilder, type ExpressionWrapper, type Selectable, type SqlBool, sql } from 'kysely';
import type { ApiKeyTable, Queryable, Schema } from '../../db/schema.js';
import { notFound } from '../errors.js';
import type { Permission } from './access.js';
import type { Actor } from './actor.js';
import { formatKey, hashSecret, type KeyParts, makeKey } from './api-key-text.js';
import type { ApiKey, IssuedApiKey } from './api-keys.schema.js';
import { recordWrites } from './audit.js';
import type { Scope } from './scope.js';
import { unitOnRecord, unitsWithin } from './unit-lists.js';

export type KeyRow = Selectable<ApiKeyTable>;
type NewKeyRow = Omit<KeyRow, 'id' | 'secretHash' | 'lastUsedTime' | 'revokedTime' | 'successorId'>;
interface Issued {
  row: KeyRow;
  parts: KeyParts;
}

export async function insertKey(tx: Queryable, fields: NewKeyRow): Promise<Issued> {
  const parts = makeKey();
  const row = await tx
    .insertInto('apiKeys')
    .values({ ...fields, id: parts.id, secretHash: hashSecret(parts.secret) })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, parts };
}

/** A key that nobody else changes until the transaction ends. */
export const lockKey = (tx: Queryable, { scope, keyId }: { scope: Scope; keyId: string }): Promise<KeyRow> =>
  tx
    .selectFrom('apiKeys')
    .selectAll()
    .where('id', '=', keyId)
    .where(withinReach(scope))
    .forUpdate()
    .executeTakeFirstOrThrow(missing);

/** A key reaches no further than a scope if each of its units and datasets lies within. */
export const withinReach = (scope: Scope) => {
  const { tenantId, datasetIds } = scope;
  return (eb: ExpressionBuilder<Schema, 'apiKeys'>): ExpressionWrapper<Schema, 'apiKeys', SqlBool> =>
    eb.and([
      ...(tenantId === undefined ? [] : [eb('tenantId', '=', tenantId)]),
      unitsWithin(scope),
      ...(datasetIds ? [sql<SqlBool>`dataset_ids <@ ${datasetIds}::text[]`] : []),
    ]);
};

/** What a key is for, and its successor too. */
export const bindingOf = ({ name, scopes, tenantUnitIds, datasetIds, expiresTime }: KeyRow) => ({
  name,
  scopes,
  tenantUnitIds,
  datasetIds,
  expiresTime,
});

export const toIssued = ({ row, parts }: Issued, now: Date): IssuedApiKey => ({
  ...toApiKey(row, now),
  key: formatKey(parts),
});

export function toApiKey({ secretHash: _, scopes, ...row }: KeyRow, now: Date): ApiKey {
  const isExpired = row.expiresTime !== null && row.expiresTime <= now;
  const status = row.revokedTime ? 'revoked' : isExpired ? 'expired' : 'active';
  return { ...row, scopes: scopes as Permission[], status };
}

/** Writes down what was done to a key. */
export const recordKey = (
  tx: Queryable,
  { id, tenantId, tenantUnitIds }: KeyRow,
  actor: Actor,
  entry: { action: string; before?: object; after?: object },
): Promise<void> =>
  recordWrites(tx, tenantId, actor, [
    { ...entry, subject: { type: 'apiKey', id }, tenantUnitId: unitOnRecord(tenantUnitIds) },
  ]);

export const missing = () => notFound('API key', ['keyId']);
