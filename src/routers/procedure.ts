import type { z } from 'zod';
import type { Permission } from '../auth/permissions.js';
import { currentSpan } from '../tracing/spans.js';
import { withTenant } from './current-tenant.js';
import { fingerprintOf } from './fingerprint.js';
import { restrictToKey } from './restrict-to-key.js';
import { baseProcedure, type Context } from './trpc.js';

interface TenantProcedureOptions {
  /** The procedure creates a record, so exactly one unit is required. */
  requiresSingleUnit?: boolean;
}

/** A procedure that requires any of the permissions, without tenant scope in its input. */
export const permittedProcedure = (...permissions: Permission[]) => baseProcedure.meta({ permissions });

/** A procedure that any key may call, about itself. */
export const anyKeyProcedure = baseProcedure.meta({ isForAnyKey: true });

/** The same with tenant scope: what it answers depends on the permissions of the key. */
export const anyKeyTenantProcedure = <I extends z.ZodType>(input: I) =>
  anyKeyProcedure.input(input).use(async ({ ctx, input, path, next }) => {
    const { tenantId, ...call } = await restrictCall(ctx, input, { path, places: false });
    return withTenant(tenantId, () => next(call));
  });

/**
 * A procedure with permission check and tenant scope: its input is restricted to the key before the first
 * query.
 */
export const tenantProcedure = <I extends z.ZodType>(
  permission: Permission | Permission[],
  input: I,
  { requiresSingleUnit = false }: TenantProcedureOptions = {},
) =>
  permittedProcedure(...[permission].flat())
    .input(input)
    .use(async ({ ctx, input, path, next }) => {
      const { tenantId, ...call } = await restrictCall(ctx, input, { path, places: requiresSingleUnit });
      return withTenant(tenantId, () => next(call));
    });

async function restrictCall<I>(ctx: Context, input: I, { path, places }: { path: string; places: boolean }) {
  const { scope } = (input ?? {}) as { scope?: { tenantId?: string } };
  const tenantId = ctx.access?.tenantId ?? scope?.tenantId;
  currentSpan()?.set({ 'lectern.tenant_id': tenantId });
  const restricted = ctx.access ? restrictToKey(ctx.access, input, { places }) : input;
  const actor = await withIdempotencyContext(ctx, path, restricted);
  return { tenantId: tenantId ?? '', input: restricted, ctx: { actor } };
}

/** Adds the idempotency context; reads ignore it. */
async function withIdempotencyContext(
  { actor, idempotencyKey, addResponseHeader }: Context,
  path: string,
  input: unknown,
): Promise<Context['actor']> {
  if (idempotencyKey === undefined) return actor;
  return {
    ...actor,
    idempotency: {
      key: idempotencyKey,
      fingerprint: await fingerprintOf(path, withoutFileId(input)),
      onReplay: () => addResponseHeader?.('Idempotency-Replayed', 'true'),
    },
  };
}

/** A re-uploaded file has another id but the same hash. */
function withoutFileId(input: unknown): unknown {
  const { file } = (input ?? {}) as { file?: { sha256?: string } };
  return file?.sha256 ? { ...(input as object), file: { ...file, fileId: undefined } } : input;
}
