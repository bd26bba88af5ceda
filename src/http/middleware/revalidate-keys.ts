import { DomainError } from '../../errors.js';

/** Revalidates the keys of running requests at an interval, once per key. */
export function createKeyRevalidation(authenticate: (key: string) => Promise<unknown>, intervalMs: number) {
  /** By key, what aborts each request that uses it. */
  const running = new Map<string, Set<() => void>>();
  const beingChecked = new Set<string>();
  let isStarted = false;

  /** @returns a function that unsubscribes the request */
  return (key: string, abort: () => void): (() => void) => {
    // One timer for all, which stays: most requests end long before it fires.
    if (!isStarted) setInterval(revalidateAll, intervalMs).unref();
    isStarted = true;
    const aborts = running.get(key) ?? new Set();
    running.set(key, aborts.add(abort));
    return () => {
      aborts.delete(abort);
      if (aborts.size === 0 && running.get(key) === aborts) running.delete(key);
    };
  };

  function revalidateAll(): void {
    for (const key of running.keys()) if (!beingChecked.has(key)) void revalidate(key);
  }

  async function revalidate(key: string): Promise<void> {
    beingChecked.add(key);
    try {
      await authenticate(key);
    } catch (error) {
      // Keep requests running while keys cannot be looked up.
      if (isRefusal(error)) for (const abort of [...(running.get(key) ?? [])]) abort();
    }
    beingChecked.delete(key);
  }
}

const isRefusal = (error: unknown) => error instanceof DomainError && error.code === 'unauthorized';
