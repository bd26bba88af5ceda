export interface Change {
  acknowledge(): void;
  /** It was refused, and so never happens. */
  refuse(): void;
}

export interface Register<T> {
  /** What was acknowledged last. */
  readonly value: T;
  /** What it may be now: that, and what was asked for since without an answer. */
  possible(): T[];
  /** Nothing is in doubt. */
  isCertain(): boolean;
  /** A change is asked for; until it is answered, both the old and the new value may be seen. */
  change(value: T): Change;
  /** It was read. False where it cannot be so; a change in doubt that is seen has happened. */
  see(value: T): boolean;
  /** Whether a value that passes the test may have been seen between the two moments. */
  might(test: (value: T) => boolean, begin: number, end: number): boolean;
}

interface Period<T> {
  value: T;
  from: number;
  until: number;
}

/** A value with its past, as one who writes and reads it knows it. */
export function createRegister<T>(initial: T, isSame: (a: T, b: T) => boolean = Object.is): Register<T> {
  const past: Period<T>[] = [];
  let certain: Period<T> = { value: initial, from: 0, until: Number.POSITIVE_INFINITY };
  let open: Period<T>[] = [];

  /** It has happened; what was asked for before it no longer matters. */
  function settle(happened: Period<T>): void {
    const now = performance.now();
    for (const one of [certain, ...open]) {
      if (one === happened) continue;
      one.until = now;
      past.push(one);
    }
    certain = happened;
    open = [];
  }

  return {
    get value() {
      return certain.value;
    },
    possible: () => [certain, ...open].map(({ value }) => value),
    isCertain: () => open.length === 0,
    change(value) {
      const asked = { value, from: performance.now(), until: Number.POSITIVE_INFINITY };
      open.push(asked);
      return {
        acknowledge: () => settle(asked),
        refuse() {
          asked.until = performance.now();
          past.push(asked);
          open = open.filter((one) => one !== asked);
        },
      };
    },
    see(value) {
      if (isSame(certain.value, value)) return true;
      const found = open.findLast((one) => isSame(one.value, value));
      if (found) settle(found);
      return found !== undefined;
    },
    might: (test, begin, end) =>
      [certain, ...open, ...past].some(
        ({ value, from, until }) => from <= end && until >= begin && test(value),
      ),
  };
}
