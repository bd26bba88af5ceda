import { z } from 'zod';
import {
  member,
  memberFilter,
  memberRef,
  memberRoleChange,
  rolePermissions,
} from '../services/members/members.schema.js';
import { pageSchema } from '../services/shared/pagination.js';
import { anyKeyProcedure, tenantProcedure } from './procedure.js';

export const members = {
  /** What each role permits. */
  roles: anyKeyProcedure.output(z.array(rolePermissions)).query(({ ctx }) => ctx.services.members.roles()),

  list: tenantProcedure('members:read', memberFilter)
    .output(pageSchema(member))
    .query(({ ctx, input }) => ctx.services.members.list(input, ctx.access)),

  get: tenantProcedure('members:read', memberRef)
    .output(member)
    .query(({ ctx, input }) => ctx.services.members.get(input, ctx.access)),

  setRole: tenantProcedure('members:write', memberRoleChange)
    .output(member)
    .mutation(({ ctx, input }) => ctx.services.members.setRole(input, ctx.actor, ctx.access)),

  remove: tenantProcedure('members:write', memberRef)
    .output(z.void())
    .mutation(({ ctx, input }) => ctx.services.members.remove(input, ctx.actor, ctx.access)),
};
