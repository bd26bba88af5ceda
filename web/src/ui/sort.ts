/** What a list is sorted by, as it is in the address; a minus is for descending. */
export type Sort<Key extends string = string> = Key | `-${Key}`;

/** What the address says, where it is one of these. */
export const readSort = <Key extends string>(value: unknown, keys: readonly Key[]): Sort<Key> | undefined =>
  keys.some((key) => value === key || value === `-${key}`) ? (value as Sort<Key>) : undefined;
