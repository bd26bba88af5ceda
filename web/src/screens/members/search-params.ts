import type { Inputs } from '../../api/trpc';

export type Role = NonNullable<Inputs['members']['setRole']['role']>;

export const roles = ['viewer', 'editor', 'reviewer', 'admin', 'operator'] as const satisfies readonly Role[];

/** Filters, page and what is open, as they are in the address. */
export interface MembersSearch {
  view?: 'roles' | undefined;
  role?: Role | undefined;
  /** A user id. */
  user?: string | undefined;
  page?: number | undefined;
  /** The id of the one that is open. */
  member?: string | undefined;
}

/** What the address says; what does not fit is left out. */
export function readMembersSearch(search: Record<string, unknown>): MembersSearch {
  const page = Number(search.page);
  return {
    view: search.view === 'roles' ? 'roles' : undefined,
    role: roles.find((role) => role === search.role),
    user: textOf(search.user),
    page: Number.isSafeInteger(page) && page > 1 ? page : undefined,
    member: textOf(search.member),
  };
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
