import { z } from 'zod';
import { permissions, tenantWidePermissions } from '../../auth/permissions.js';
import {
  boundedArray,
  identifier,
  nonEmptyText,
  nullableText,
  timestamp,
  valueOrArray,
} from '../shared/fields.schema.js';
import { pageParameters } from '../shared/pagination.js';
import { strictTenantScope, type TenantScope } from '../shared/tenant-scope.js';

const UNIT_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Such as `90d` or `0`, read as milliseconds. */
const duration = z
  .string()
  .max(6)
  .regex(/^(0|\d{1,5}[smhd])$/, 'must be a number with s, m, h or d, such as 24h or 90d')
  .transform((text) => Number.parseInt(text, 10) * (UNIT_MS[text.slice(-1)] ?? 0));

const nonEmptyUniqueArray = <T extends z.ZodType>(item: T) =>
  boundedArray(item, undefined, 1).transform((list) => [...new Set(list)]);

const permissionArray = nonEmptyUniqueArray(z.enum(permissions));

export const apiKey = z.object({
  id: z.string(),
  tenantId: z.string(),
  /** All units of the tenant where null. */
  tenantUnitIds: z.array(z.string()).nullable(),
  /** All datasets of the tenant where null. */
  datasetIds: z.array(z.string()).nullable(),
  scopes: z.array(z.enum(permissions)),
  name: z.string(),
  status: z.enum(['active', 'expired', 'revoked']),
  createdTime: z.date(),
  /** The key that made it, or the user of a token. */
  createdBy: nullableText,
  expiresTime: z.date().nullable(),
  /** To the minute. */
  lastUsedTime: z.date().nullable(),
  revokedTime: z.date().nullable(),
  /** The key that replaced it by rotation. */
  successorId: nullableText,
  /** Whether anybody could make it: in open mode, or with a key that was made so. */
  madeInOpenMode: z.boolean(),
});
export type ApiKey = z.output<typeof apiKey>;

/** A key with its secret, returned only once. */
export const issuedApiKey = apiKey.extend({ key: z.string() });
export type IssuedApiKey = z.output<typeof issuedApiKey>;

export const rotatedApiKey = issuedApiKey.extend({ former: apiKey });
export type RotatedApiKey = z.output<typeof rotatedApiKey>;

export const newApiKey = z
  .strictObject({
    /** Tenant and units of the key; by default all units of its creator. */
    scope: z.strictObject({
      tenantId: identifier(),
      tenantUnitId: valueOrArray(identifier(), undefined, 1)
        .transform((units) => (Array.isArray(units) ? [...new Set(units)] : units))
        .optional(),
    }),
    /** Datasets of the key; by default those of its creator. */
    datasetIds: nonEmptyUniqueArray(identifier()).optional(),
    /** Permissions; at most those of its creator. */
    scopes: permissionArray,
    name: nonEmptyText(255),
    expiresIn: duration.optional(),
    expiresTime: timestamp().optional(),
  })
  .refine(({ expiresIn, expiresTime }) => expiresIn === undefined || expiresTime === undefined, {
    message: 'expiresIn and expiresTime exclude each other',
    path: ['expiresTime'],
  })
  .refine(
    ({ datasetIds, scopes }) =>
      datasetIds === undefined || !scopes.some((scope) => tenantWidePermissions.includes(scope)),
    {
      message: `${tenantWidePermissions.join(' and ')} concern the whole tenant; a key for some datasets cannot have them`,
      path: ['scopes'],
    },
  );
export type NewApiKey = z.output<typeof newApiKey> & { scope: TenantScope };

export const keyExpiries = ['soon', 'past'] as const;
export type KeyExpiry = (typeof keyExpiries)[number];

export const keyOrders = ['createdTime', 'name', 'lastUsedTime', 'expiresTime'] as const;

export const apiKeyFilter = z.strictObject({
  scope: strictTenantScope,
  ...pageParameters(20),
  /** Only keys that expire within 14 days, or have expired within 14 days, and that no other key replaces. */
  expiry: z.enum(keyExpiries).optional(),
  /** Only keys that are limited to datasets, this one among them. */
  datasetId: identifier().optional(),
  /** The newest first unless given. Those that never expire, or were never used, are sorted so. */
  order: z.enum(keyOrders).optional(),
  direction: z.enum(['asc', 'desc']).optional(),
});
export type ApiKeyFilter = Omit<z.output<typeof apiKeyFilter>, 'scope'> & { scope: TenantScope };

export const apiKeyRef = z.strictObject({ scope: strictTenantScope, keyId: identifier() });
export type ApiKeyRef = z.output<typeof apiKeyRef>;

export const apiKeyRotation = apiKeyRef.extend({
  /** How long the old key stays valid. */
  overlap: duration.default(UNIT_MS.d as number),
});
export type ApiKeyRotation = z.output<typeof apiKeyRotation>;
