import type { Permission } from '../auth/permissions.js';
import type { Context } from './trpc.js';

interface Caller {
  ctx: Context;
  /** What the call itself has sent. */
  input: object;
}

/** Whether the caller may read what this permission is for. */
export const mayRead = ({ access }: Context, permission: Permission): boolean =>
  !access || access.permissions.includes(permission);

/**
 * What a write answers: the record, of whose `texts` a caller without the read permission gets those alone that the call
 * has sent.
 */
export function withoutUnread<R extends object, K extends keyof R & string>(
  record: R,
  { ctx, input }: Caller,
  { permission, texts }: { permission: Permission; texts: readonly K[] },
): Omit<R, K> & Partial<Pick<R, K>> {
  if (mayRead(ctx, permission)) return record;
  const unread = new Set<string>(
    texts.filter((name) => (input as Record<string, unknown>)[name] === undefined),
  );
  return Object.fromEntries(Object.entries(record).filter(([name]) => !unread.has(name))) as R;
}
