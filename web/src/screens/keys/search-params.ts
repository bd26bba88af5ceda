import type { Inputs } from '../../api/trpc';
import { pageOf, textOf } from '../../common/search-params';

/** Keys that expire soon, or have just expired. */
export const expiries = ['soon', 'past'] as const satisfies Inputs['apiKeys']['list']['expiry'][];

/** The filter, the order, the columns, the page, and whether the dialog that makes a key is open, as they are in the address. */
export interface KeysSearch {
  make?: true | undefined;
  expiry?: (typeof expiries)[number] | undefined;
  /** One of `orders`, with a minus for descending; the newest first, if undefined. */
  sort?: string | undefined;
  columns?: string | undefined;
  page?: number | undefined;
}

export function readKeysSearch(search: Record<string, unknown>): KeysSearch {
  return {
    make: search.make === true || search.make === 'true' || undefined,
    expiry: expiries.find((expiry) => expiry === search.expiry),
    sort: textOf(search.sort),
    columns: textOf(search.columns),
    page: pageOf(search.page),
  };
}
