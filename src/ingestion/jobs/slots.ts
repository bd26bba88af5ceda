/**
 * How many jobs may be worked on here at a time, by the flags that they carry: each flag is counted for itself, and a
 * job needs room under all of its own.
 *
 * @param limitOf how many jobs with a flag there may be
 */
export function createSlots(limitOf: (flag: string) => number) {
  const running = new Map<string, number>();
  const count = (flag: string) => running.get(flag) ?? 0;
  const isFull = (flag: string) => count(flag) >= limitOf(flag);

  return {
    /** The flags whose jobs must wait. */
    full: (): string[] => [...running.keys()].filter(isFull),

    /** Does the work, unless there is no room for it. @returns whether it was done */
    async take(flags: string[], work: () => Promise<void>): Promise<boolean> {
      if (flags.some(isFull)) return false;
      for (const flag of flags) running.set(flag, count(flag) + 1);
      try {
        await work();
        return true;
      } finally {
        for (const flag of flags) {
          if (count(flag) > 1) running.set(flag, count(flag) - 1);
          else running.delete(flag);
        }
      }
    },
  };
}
