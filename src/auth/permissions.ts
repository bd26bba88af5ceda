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
  'members:read',
  'members:write',
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
  'members:read',
  'members:write',
];

/** A session and when it ends, unless it is used before. */
interface SessionRef {
  id: string;
  expiresTime: Date;
  /** Of a person whom a provider has signed in: opens the tokens that are stored with the session. */
  secret?: string | undefined;
}

/** Whom a provider vouches for, by a token or by having signed in the person of a session. */
export interface TokenUser {
  /** What the audit log and authors name. */
  id: string;
  name: string | null;
  email: string | null;
  issuer: string;
  /** Whom the issuer means, whatever `id` is. */
  subject: string;
  /** Of the issuer and its subject, hashed: by it, limits and idempotent results are kept apart. */
  key: string;
}

/** What an API key or a token permits, where, and until when. */
export interface KeyAccess {
  /** The API key; undefined for a token. */
  keyId: string | undefined;
  /** Of a token, or of a person whom a provider has signed in; undefined for an API key. */
  user?: TokenUser | undefined;
  /** Of such a user, as a member of the tenant. */
  role?: string | null | undefined;
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

/** What a caller has, as the start of a sentence. */
export function credentialName(access: Pick<KeyAccess, 'user' | 'session'> | undefined): string {
  if (!access?.user) return 'This API key';
  return access.session ? 'This sign-in' : 'This token';
}
