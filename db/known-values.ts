/** Of stored values those that are known; others may be left from when there were more. */
export const knownValues = <T extends string>(stored: string[], known: readonly T[]): T[] =>
  stored.filter((value): value is T => known.some((one) => one === value));
