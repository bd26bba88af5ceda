import type { KeyAccess } from '../../auth/permissions.js';
import { DomainError, unauthorized } from '../../errors/errors.js';
import type { Credential } from './credential.js';
import { permitsStill } from './permits-still.js';

interface Running {
  credential: Credential;
  /** What aborts each request that uses it, with what it permitted when the request began. */
  requests: Map<(reason: DomainError) => void, KeyAccess>;
  isBeingChecked: boolean;
}

/** Revalidates the credentials of running requests at an interval, once per credential. */
export function createRevalidation(
  authenticate: (credential: Credential) => Promise<KeyAccess>,
  intervalMs: number,
) {
  /** By the whole credential: one token may be used for several tenants. */
  const running = new Map<string, Running>();
  let isStarted = false;

  /** @returns a function that unsubscribes the request */
  return (credential: Credential, access: KeyAccess, abort: (reason: DomainError) => void): (() => void) => {
    // One timer for all, which stays: most requests end long before it fires.
    if (!isStarted) setInterval(revalidateAll, intervalMs).unref();
    isStarted = true;
    const name = JSON.stringify(credential);
    const one = running.get(name) ?? { credential, requests: new Map(), isBeingChecked: false };
    running.set(name, one);
    one.requests.set(abort, access);
    return () => {
      one.requests.delete(abort);
      if (one.requests.size === 0 && running.get(name) === one) running.delete(name);
    };
  };

  function revalidateAll(): void {
    for (const one of running.values()) if (!one.isBeingChecked) void revalidate(one);
  }

  async function revalidate(one: Running): Promise<void> {
    one.isBeingChecked = true;
    try {
      const current = await authenticate(one.credential);
      // A role may have been taken from the user of a token.
      for (const [abort, former] of [...one.requests])
        if (!permitsStill(current, former)) abort(unauthorized());
    } catch (error) {
      // Keep requests running while credentials cannot be looked up.
      if (isRefusal(error)) for (const abort of [...one.requests.keys()]) abort(error);
    }
    one.isBeingChecked = false;
  }
}

const isRefusal = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.code === 'unauthorized';
