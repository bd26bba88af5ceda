import type { Inputs } from '../../api/trpc';

/** Keys that expire soon, or have just expired. */
export const expiries = ['soon', 'past'] as const satisfies Inputs['apiKeys']['list']['expiry'][];

/** The filter and the page, as they are in the address. */
export interface KeysSearch {
  expiry?: (typeof expiries)[number] | undefined;
  page?: number | undefined;
}

export function readKeysSearch(search: Record<string, unknown>): KeysSearch {
  const page = Number(search.page);
  return {
    expiry: expiries.find((expiry) => expiry === search.expiry),
    page: Number.isSafeInteger(page) && page > 1 ? page : undefined,
  };
}
