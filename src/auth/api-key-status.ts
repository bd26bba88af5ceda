import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { ApiKeyTable } from '../../db/schema.js';

/** Only an active key authenticates. */
export type ApiKeyStatus = 'active' | 'expired' | 'revoked';

export function apiKeyStatus(
  { revokedTime, expiresTime }: Pick<Selectable<ApiKeyTable>, 'revokedTime' | 'expiresTime'>,
  now: Date,
): ApiKeyStatus {
  if (revokedTime) return 'revoked';
  return expiresTime && expiresTime <= now ? 'expired' : 'active';
}

/** The same in SQL: whether a row of `api_keys` is active. */
export const isActiveKey = (now: Date): RawBuilder<SqlBool> =>
  sql<SqlBool>`(revoked_time is null and (expires_time is null or expires_time > ${now}))`;
