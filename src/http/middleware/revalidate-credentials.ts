import { DomainError } from '../../errors/errors.js';
import type { Credential } from './credential.js';

interface Running {
  credential: Credential;
  /** What aborts each request that uses it. */
  aborts: Set<(reason: DomainError) => void>;
  isBeingChecked: boolean;
}

/** Revalidates the credentials of running requests at an interval, once per credential. */
export function createRevalidation(
  authenticate: (credential: Credential) => Promise<unknown>,
  intervalMs: number,
) {
  /** By kind and text. */
  const running = new Map<string, Running>();
  let isStarted = false;

  /** @returns a function that unsubscribes the request */
  return (credential: Credential, abort: (reason: DomainError) => void): (() => void) => {
    // One timer for all, which stays: most requests end long before it fires.
    if (!isStarted) setInterval(revalidateAll, intervalMs).unref();
    isStarted = true;
    const name = `${credential.kind} ${credential.text}`;
    const one = running.get(name) ?? { credential, aborts: new Set(), isBeingChecked: false };
    running.set(name, one);
    one.aborts.add(abort);
    return () => {
      one.aborts.delete(abort);
      if (one.aborts.size === 0 && running.get(name) === one) running.delete(name);
    };
  };

  function revalidateAll(): void {
    for (const one of running.values()) if (!one.isBeingChecked) void revalidate(one);
  }

  async function revalidate(one: Running): Promise<void> {
    one.isBeingChecked = true;
    try {
      await authenticate(one.credential);
    } catch (error) {
      // Keep requests running while credentials cannot be looked up.
      if (isRefusal(error)) for (const abort of [...one.aborts]) abort(error);
    }
    one.isBeingChecked = false;
  }
}

const isRefusal = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.code === 'unauthorized';
