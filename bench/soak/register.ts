export type Register<T> = ReturnType<typeof createRegister<T>>;

/**
 * A value with its past. Between the moment in which a change is asked for and that in which it is acknowledged, both
 * the old and the new value may be seen.
 */
export function createRegister<T>(initial: T, since: number) {
  const past: { value: T; from: number; until: number }[] = [];
  let now = { value: initial, from: since, until: Number.POSITIVE_INFINITY };

  return {
    get value(): T {
      return now.value;
    },
    /** @returns to be called when the change is acknowledged */
    change(value: T): () => void {
      const before = now;
      past.push(before);
      now = { value, from: performance.now(), until: Number.POSITIVE_INFINITY };
      return () => {
        before.until = performance.now();
      };
    },
    /** Whether a value that passes the test may have been seen between the two moments. */
    might(test: (value: T) => boolean, begin: number, end: number): boolean {
      return [now, ...past].some(({ value, from, until }) => from <= end && until >= begin && test(value));
    },
  };
}
