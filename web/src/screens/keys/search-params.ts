/** The page, and whether the dialog that creates a key is open, as they are in the address. */
export interface KeysSearch {
  make?: true | undefined;
  page?: number | undefined;
}

export function readKeysSearch(search: Record<string, unknown>): KeysSearch {
  const page = Number(search.page);
  return {
    make: search.make === true || search.make === 'true' || undefined,
    page: Number.isSafeInteger(page) && page > 1 ? page : undefined,
  };
}
