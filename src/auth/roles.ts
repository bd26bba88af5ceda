import { type MemberRole, memberRoles } from '../../db/enums.js';
import { type Permission, permissions } from './permissions.js';

const READS = ['conversations:read', 'documents:read', 'chunks:read', 'search'] as const;

/** What each role permits: sets of the permissions that keys have, and nothing beyond. */
export const permissionsOfRole: Readonly<Record<MemberRole, readonly Permission[]>> = {
  viewer: READS,
  editor: [...READS, 'conversations:write', 'messages:write', 'documents:write', 'chunks:write'],
  // Reviews, labels and states of conversations; feedback needs either of both.
  reviewer: [...READS, 'conversations:write'],
  admin: permissions,
  operator: ['operations'],
};

/** The permissions of what a claim stands for: roles by their names, and permissions. */
export const toRolePermissions = (grants: readonly (MemberRole | Permission)[]): Permission[] => {
  const granted = new Set(grants.flatMap((one) => (isRole(one) ? permissionsOfRole[one] : [one])));
  return permissions.filter((one) => granted.has(one));
};

/** The permissions of a stored role; of one that a newer version knows, none. */
export const permissionsOfStored = (role: string | null): readonly Permission[] =>
  role !== null && isRole(role) ? permissionsOfRole[role] : [];

const isRole = (name: string): name is MemberRole => memberRoles.some((role) => role === name);
