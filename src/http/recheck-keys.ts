import { DomainError } from '../errors.js';

interface Checked {
  /** What ends each of the requests that go on with the key. */
  cutOffs: Set<() => void>;
  timer: NodeJS.Timeout;
}

/** Looks from time to time whether keys are still valid with which something goes on: once for all that goes on with one. */
export function createRecheckKeys(authenticate: (key: string) => Promise<unknown>, intervalMs: number) {
  const keys = new Map<string, Checked>();

  /** @returns what ends the looking for this request */
  return (key: string, cutOff: () => void): (() => void) => {
    const checked = keys.get(key) ?? begin(key);
    checked.cutOffs.add(cutOff);
    return () => {
      checked.cutOffs.delete(cutOff);
      if (checked.cutOffs.size > 0 || keys.get(key) !== checked) return;
      clearInterval(checked.timer);
      keys.delete(key);
    };
  };

  function begin(key: string): Checked {
    let isLooking = false;
    const look = async () => {
      if (isLooking) return;
      isLooking = true;
      try {
        await authenticate(key);
      } catch (error) {
        // While keys cannot be looked up, what goes on goes on.
        if (isRefusal(error)) for (const cutOff of [...checked.cutOffs]) cutOff();
      }
      isLooking = false;
    };
    const checked: Checked = { cutOffs: new Set(), timer: setInterval(look, intervalMs) };
    keys.set(key, checked);
    return checked;
  }
}

const isRefusal = (error: unknown) => error instanceof DomainError && error.code === 'unauthorized';
