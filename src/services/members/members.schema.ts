import { z } from 'zod';
import { memberRoles } from '../../../db/enums.js';
import { permissions, tenantWidePermissions } from '../../auth/permissions.js';
import { permissionsOfRole } from '../../auth/roles.js';
import { boundedArray, filterValue, identifier, nullableText, storedValue } from '../shared/fields.schema.js';
import { pageParameters } from '../shared/pagination.js';
import { strictTenantScope } from '../shared/tenant-scope.js';

export const roleOfMember = z.enum(memberRoles);

/** What a role permits. */
export const rolePermissions = z.object({ role: roleOfMember, permissions: z.array(z.enum(permissions)) });
export type RolePermissions = z.output<typeof rolePermissions>;

export const member = z.object({
  id: z.string(),
  /** Whose tokens they are: an issuer has one user of this subject. */
  issuer: z.string(),
  subject: z.string(),
  /** As in the audit log and in fields such as `createdBy`. */
  userId: z.string(),
  name: nullableText,
  email: nullableText,
  /** Null where only the claims of its tokens permit something. */
  role: storedValue(memberRoles).nullable(),
  /** The role is for these; for all of the tenant where null. */
  tenantUnitIds: z.array(z.string()).nullable(),
  datasetIds: z.array(z.string()).nullable(),
  createdTime: z.date(),
  /** To the hour. */
  lastSeenTime: z.date(),
  /** When the role was changed last. */
  updatedTime: z.date().nullable(),
  updatedBy: nullableText,
});
export type Member = z.output<typeof member>;

export const memberFilter = z.strictObject({
  scope: strictTenantScope,
  ...pageParameters(50),
  role: roleOfMember.optional(),
  userId: filterValue().min(1).optional(),
  /** The newest first unless given; those without a name by their user id. */
  order: z.enum(['createdTime', 'name', 'lastSeenTime']).optional(),
  direction: z.enum(['asc', 'desc']).optional(),
});
export type MemberFilter = z.output<typeof memberFilter>;

export const memberRef = z.strictObject({ scope: strictTenantScope, memberId: identifier() });
export type MemberRef = z.output<typeof memberRef>;

const places = boundedArray(identifier(), undefined, 1).transform((ids) => [...new Set(ids)]);

export const memberRoleChange = memberRef
  .extend({
    /** Null takes the role away. */
    role: roleOfMember.nullable(),
    /** The role is for these alone; for all of the tenant where null. */
    tenantUnitIds: places.nullable().default(null),
    datasetIds: places.nullable().default(null),
  })
  .refine(({ role, tenantUnitIds, datasetIds }) => role !== null || (!tenantUnitIds && !datasetIds), {
    message: 'must be a role where units or datasets are given',
    path: ['role'],
  })
  .refine(({ role, datasetIds }) => role === null || !datasetIds || !isTenantWide(role), {
    message: 'must be left out for this role: it concerns the whole tenant',
    path: ['datasetIds'],
  });
export type MemberRoleChange = z.output<typeof memberRoleChange>;

const isTenantWide = (role: z.output<typeof roleOfMember>): boolean =>
  permissionsOfRole[role].some((one) => tenantWidePermissions.includes(one));
