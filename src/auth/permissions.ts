export const permissions = [
  'conversations:read',
  'conversations:write',
  'documents:read',
  'documents:write',
  'chunks:read',
  'chunks:write',
  'search',
  'keys:admin',
  'operations',
] as const;

/** What a key may be allowed to do. Callers and operators call it a scope of the key. */
export type Permission = (typeof permissions)[number];

/** These concern a whole tenant or the service: no key for some datasets has them, and none gets them unasked. */
export const tenantWidePermissions: readonly Permission[] = ['keys:admin', 'operations'];

/** What an API key lets its bearer do, where, and how long. */
export interface KeyAccess {
  keyId: string;
  permissions: readonly Permission[];
  tenantId: string;
  /** All units of the tenant where null. */
  tenantUnitIds: readonly string[] | null;
  /** All datasets of the tenant where null. */
  datasetIds: readonly string[] | null;
  /** For ever where null. */
  expiresTime: Date | null;
}
