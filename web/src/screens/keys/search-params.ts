import type { Inputs } from '../../api/trpc';
import { pageOf, textOf } from '../../common/search-params';
import { readSort, type Sort } from '../../ui/sort';

const orders = [
  'name',
  'lastUsedTime',
  'expiresTime',
  'createdTime',
] as const satisfies Inputs['apiKeys']['list']['order'][];

/** Keys that expire soon, or have just expired. */
export const expiries = ['soon', 'past'] as const satisfies Inputs['apiKeys']['list']['expiry'][];

/** The filter, the order, the columns, the page, and whether the dialog that makes a key is open, as they are in the address. */
export interface KeysSearch {
  make?: true | undefined;
  expiry?: (typeof expiries)[number] | undefined;
  /** The newest first, if undefined. */
  sort?: Sort<(typeof orders)[number]> | undefined;
  columns?: string | undefined;
  page?: number | undefined;
}

export function readKeysSearch(search: Record<string, unknown>): KeysSearch {
  return {
    make: search.make === true || search.make === 'true' || undefined,
    expiry: expiries.find((expiry) => expiry === search.expiry),
    sort: readSort(search.sort, orders),
    columns: textOf(search.columns),
    page: pageOf(search.page),
  };
}
