import type { Inputs } from '../../api/trpc';
import { pageOf, textOf } from '../../common/search-params';

export type Role = NonNullable<Inputs['members']['setRole']['role']>;

export const roles = ['viewer', 'editor', 'reviewer', 'admin', 'operator'] as const satisfies readonly Role[];

/** Filters, page and what is open, as they are in the address. */
export interface MembersSearch {
  view?: 'roles' | undefined;
  role?: Role | undefined;
  /** A user id. */
  user?: string | undefined;
  /** One of `orders`, with a minus for descending; the newest first, if undefined. */
  sort?: string | undefined;
  columns?: string | undefined;
  page?: number | undefined;
  /** The id of the one that is open. */
  member?: string | undefined;
}

/** What the address says; what does not fit is left out. */
export function readMembersSearch(search: Record<string, unknown>): MembersSearch {
  return {
    view: search.view === 'roles' ? 'roles' : undefined,
    role: roles.find((role) => role === search.role),
    user: textOf(search.user),
    sort: textOf(search.sort),
    columns: textOf(search.columns),
    page: pageOf(search.page),
    member: textOf(search.member),
  };
}
