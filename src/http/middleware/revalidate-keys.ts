import { DomainError } from '../../errors.js';

interface RevalidatedKey {
  /** What ends each of the requests that go on with the key. */
  abortCallbacks: Set<() => void>;
  timer: NodeJS.Timeout;
}

/** Looks from time to time whether keys are still valid with which something goes on: once for all that goes on with one. */
export function createKeyRevalidation(authenticate: (key: string) => Promise<unknown>, intervalMs: number) {
  const keys = new Map<string, RevalidatedKey>();

  /** @returns what ends the looking for this request */
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
        // While keys cannot be looked up, what goes on goes on.
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
