import { DomainError } from '../../errors.js';

interface RevalidatedKey {
  /** Aborts each request that uses the key. */
  abortCallbacks: Set<() => void>;
  timer: NodeJS.Timeout;
}

/** Revalidates the keys of running requests at an interval, once per key. */
export function createKeyRevalidation(authenticate: (key: string) => Promise<unknown>, intervalMs: number) {
  const keys = new Map<string, RevalidatedKey>();

  /** @returns a function that unsubscribes the request */
  return (key: string, cutOff: () => void): (() => void) => {
    const checked = keys.get(key) ?? begin(key);
    checked.abortCallbacks.add(cutOff);
    return () => {
      checked.abortCallbacks.delete(cutOff);
      if (checked.abortCallbacks.size > 0 || keys.get(key) !== checked) return;
      clearInterval(checked.timer);
      keys.delete(key);
    };
  };

  function begin(key: string): RevalidatedKey {
    let isLooking = false;
    const look = async () => {
      if (isLooking) return;
      isLooking = true;
      try {
        await authenticate(key);
      } catch (error) {
        // Keep requests running while keys cannot be looked up.
        if (isRefusal(error)) for (const cutOff of [...checked.abortCallbacks]) cutOff();
      }
      isLooking = false;
    };
    const checked: RevalidatedKey = { abortCallbacks: new Set(), timer: setInterval(look, intervalMs) };
    keys.set(key, checked);
    return checked;
  }
}

const isRefusal = (error: unknown) => error instanceof DomainError && error.code === 'unauthorized';
