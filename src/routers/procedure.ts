import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { Permission } from '../auth/permissions.js';
import { forbidden } from '../errors.js';
import { restrictToKey } from './restrict-to-key.js';
import { baseProcedure, type Context } from './trpc.js';

interface TenantProcedureOptions {
  /** Something is put in the scope's place, so that there must be one unit. */
  requiresSingleUnit?: boolean;
}

/** Begins a procedure that takes a permission, any of those given, and no input that names a place. */
export const permittedProcedure = (...permissions: Permission[]) =>
  baseProcedure.meta({ permissions }).use(({ ctx, next }) => {
    assertPermitted(ctx, permissions);
    return next();
  });

/**
 * Begins a procedure: every one says which permission it takes, and none sees more of its caller's wishes than the
 * caller's key reaches. Both are settled before the first query.
 */
export const tenantProcedure = <I extends z.ZodType>(
  permission: Permission | Permission[],
  input: I,
  { requiresSingleUnit = false }: TenantProcedureOptions = {},
) =>
  permittedProcedure(...[permission].flat())
    .input(input)
    .use(({ ctx, input, path, next }) => {
      const narrowed = ctx.access ? restrictToKey(ctx.access, input, { places: requiresSingleUnit }) : input;
      return next({ input: narrowed, ctx: { actor: withIdempotencyContext(ctx, path, narrowed) } });
    });

function assertPermitted({ access }: Context, permissions: Permission[]): void {
  if (!access || permissions.some((permission) => access.permissions.includes(permission))) return;
  throw forbidden(`This API key may not do this: it lacks the scope ${permissions.join(' or ')}.`);
}

/** Writes are told how they can be known again; reads take no notice. */
function withIdempotencyContext(
  { actor, idempotencyKey, addResponseHeader }: Context,
  path: string,
  input: unknown,
) {
  if (idempotencyKey === undefined) return actor;
  return {
    ...actor,
    retry: {
      key: idempotencyKey,
      fingerprint: createHash('sha256')
        .update(path)
        .update('\0')
        .update(canonicalJson(withoutFileId(input)))
        .digest(),
      onReplay: () => addResponseHeader?.('Idempotency-Replayed', 'true'),
    },
  };
}

/** A file that was received again has another id; its bytes are the same. */
function withoutFileId(input: unknown): unknown {
  const { file } = (input ?? {}) as { file?: { sha256?: string } };
  return file?.sha256 ? { ...(input as object), file: { ...file, fileId: undefined } } : input;
}

/** JSON with its keys in order. */
const canonicalJson = (input: unknown): string =>
  JSON.stringify(input, (_key, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  ) ?? '';
