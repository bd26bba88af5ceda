import { knownValues } from '../../db/known-values.js';

export const permissions = [
  'conversations:read',
  'conversations:write',
  'messages:write',
  'retention:read',
  'retention:write',
  'users:erase',
  'documents:read',
  'documents:write',
  'chunks:read',
  'chunks:write',
  'search',
  'keys:admin',
  'operations',
] as const;
/** A permission of an API key; `scopes` in the API. */
export type Permission = (typeof permissions)[number];

/** The permissions of a stored key; those that no longer exist are ignored. */
export const toPermissions = (stored: string[]): Permission[] => knownValues(stored, permissions);

/** Permissions beyond single datasets: not for keys restricted to datasets, and never granted by default. */
export const tenantWidePermissions: readonly Permission[] = [
  'keys:admin',
  'operations',
  'retention:write',
  'users:erase',
];

/** A session and when it ends, unless it is used before. */
interface SessionRef {
  id: string;
  expiresTime: Date;
}

/** What an API key permits, where, and until when. */
export interface KeyAccess {
  keyId: string;
  permissions: readonly Permission[];
  tenantId: string;
  /** All units of the tenant where null. */
  tenantUnitIds: readonly string[] | null;
  /** All datasets of the tenant where null. */
  datasetIds: readonly string[] | null;
  /** Never expires if null. */
  expiresTime: Date | null;
  /** What stands for the key; undefined where the request has the key itself. */
  session?: SessionRef | undefined;
}
