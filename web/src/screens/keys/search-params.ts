import type { Inputs } from '../../api/trpc';

/** Keys that expire soon, or have just expired. */
export const expiries = ['soon', 'past'] as const satisfies Inputs['apiKeys']['list']['expiry'][];

/** The filter, the page, and whether the dialog that makes a key is open, as they are in the address. */
export interface KeysSearch {
  make?: true | undefined;
  expiry?: (typeof expiries)[number] | undefined;
  page?: number | undefined;
}

export function readKeysSearch(search: Record<string, unknown>): KeysSearch {
  const page = Number(search.page);
  return {
    make: search.make === true || search.make === 'true' || undefined,
    expiry: expiries.find((expiry) => expiry === search.expiry),
    page: Number.isSafeInteger(page) && page > 1 ? page : undefined,
  };
}
