import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { forbidden } from '../errors.js';
import type { Permission } from '../services/access.js';
import { narrowInput } from './narrow-input.js';
import { type Context, procedure } from './trpc.js';

interface OperationOptions {
  /** Something is put in the scope's place, so that there must be one unit. */
  places?: boolean;
}

/** Begins a procedure that takes a permission, and no input that names a place. */
export const permitted = (permission: Permission) =>
  procedure.meta({ permission }).use(({ ctx, next }) => {
    assertPermitted(ctx, permission);
    return next();
  });

/**
 * Begins a procedure: every one says which permission it takes, and none sees more of its caller's wishes than the
 * caller's key reaches. Both are settled before the first query.
 */
export const operation = <I extends z.ZodType>(
  permission: Permission,
  input: I,
  { places = false }: OperationOptions = {},
) =>
  permitted(permission)
    .input(input)
    .use(({ ctx, input, path, next }) => {
      const narrowed = ctx.access ? narrowInput(ctx.access, input, { places }) : input;
      return next({ input: narrowed, ctx: { actor: withRetry(ctx, path, narrowed) } });
    });

function assertPermitted({ access }: Context, permission: Permission): void {
  if (!access || access.permissions.includes(permission)) return;
  throw forbidden(`This API key may not do this: it lacks the scope ${permission}.`);
}

/** Writes are told how they can be known again; reads take no notice. */
function withRetry({ actor, idempotencyKey, addHeader }: Context, path: string, input: unknown) {
  if (idempotencyKey === undefined) return actor;
  return {
    ...actor,
    retry: {
      key: idempotencyKey,
      fingerprint: createHash('sha256').update(path).update('\0').update(canonical(input)).digest(),
      onReplay: () => addHeader?.('Idempotency-Replayed', 'true'),
    },
  };
}

/** JSON with its keys in order. A file that was received again is the same if its bytes are. */
const canonical = (input: unknown): string =>
  JSON.stringify(input, (_key, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const { fileId, ...rest } = value as Record<string, unknown>;
    const known = fileId !== undefined && rest.sha256 === undefined ? { fileId, ...rest } : rest;
    return Object.fromEntries(Object.entries(known).sort(([a], [b]) => (a < b ? -1 : 1)));
  }) ?? '';
