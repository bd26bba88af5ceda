import type { Inputs } from '../../api/trpc';
import { pageOf, textOf } from '../../common/search-params';
import { readSort, type Sort } from '../../ui/sort';

export type Role = NonNullable<Inputs['members']['setRole']['role']>;

export const roles = ['viewer', 'editor', 'reviewer', 'admin', 'operator'] as const satisfies readonly Role[];

const orders = [
  'name',
  'lastSeenTime',
  'createdTime',
] as const satisfies Inputs['members']['list']['order'][];

/** Filters, page and what is open, as they are in the address. */
export interface MembersSearch {
  view?: 'roles' | undefined;
  role?: Role | undefined;
  /** A user id. */
  user?: string | undefined;
  /** The newest first, if undefined. */
  sort?: Sort<(typeof orders)[number]> | undefined;
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
    sort: readSort(search.sort, orders),
    columns: textOf(search.columns),
    page: pageOf(search.page),
    member: textOf(search.member),
  };
}
