/** The page, as it is in the address. */
export interface KeysSearch {
  page?: number | undefined;
}

export function readKeysSearch(search: Record<string, unknown>): KeysSearch {
  const page = Number(search.page);
  return { page: Number.isSafeInteger(page) && page > 1 ? page : undefined };
}
