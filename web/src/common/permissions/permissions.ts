import type { Permission } from '../../api/permission-gate';

/** Whether it concerns the whole tenant: a key for some datasets cannot have it. */
const isTenantWide: Record<Permission, boolean> = {
  'documents:read': false,
  'documents:write': false,
  'chunks:read': false,
  'chunks:write': false,
  search: false,
  'conversations:read': false,
  'conversations:write': false,
  'messages:write': false,
  'retention:read': false,
  'retention:write': true,
  'users:erase': true,
  'members:read': true,
  'members:write': true,
  'keys:admin': true,
  operations: true,
};

export const permissions = Object.keys(isTenantWide) as Permission[];
export const tenantWidePermissions = permissions.filter((permission) => isTenantWide[permission]);
