/** What a list is sorted by, as it is in the address; a minus is for descending. */
export type Sort<Key extends string = string> = Key | `-${Key}`;

export const sortsOf = <Key extends string>(keys: readonly Key[]): Sort<Key>[] =>
  keys.flatMap((key) => [key, `-${key}` as const]);

/** What the address says, where it is one of these. */
export const readSort = <Key extends string>(value: unknown, keys: readonly Key[]): Sort<Key> | undefined =>
  sortsOf(keys).find((sort) => sort === value);

/** The same as servers take it. */
export const toOrder = <Key extends string>(sort: Sort<Key>) => ({
  order: sort.replace('-', '') as Key,
  direction: sort.startsWith('-') ? ('desc' as const) : ('asc' as const),
});
