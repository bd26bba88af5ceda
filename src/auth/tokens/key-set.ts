import { createLocalJWKSet, type JWK } from 'jose';
import { unavailable } from '../../errors/errors.js';

/** Finds the key of a token; changes with the keys of the issuer. */
export type KeyFinder = ReturnType<typeof createLocalJWKSet>;

/** Older keys are loaded again while requests go on with them. */
export const FRESH_MS = 10 * 60_000;
/** With older ones, requests wait for the new ones, unless the issuer does not answer. */
const STALE_MS = 60 * 60_000;
/** Least time between two attempts while there are keys. */
const RETRY_MS = 30_000;
/** Likewise while there are none. */
const OUTAGE_RETRY_MS = 5_000;
/** Likewise for tokens whose key is unknown: their issuer may have a new one, or has nothing to do with them. */
const UNKNOWN_RETRY_MS = 5_000;

export interface KeySetDependencies {
  load: () => Promise<JWK[]>;
  clock: () => Date;
  /** Called when the keys could not be loaded. */
  onError: (error: unknown) => void;
}

export type KeySet = ReturnType<typeof createKeySet>;

/** The keys of an issuer, loaded when they are needed, one load at a time. */
export function createKeySet({ load, clock, onError }: KeySetDependencies) {
  let known: KeyFinder | undefined;
  let knownText = '';
  let loadedMs = 0;
  let attemptMs: number | undefined;
  let unknownMs: number | undefined;
  let hasFailed = false;
  let loading: Promise<void> | undefined;
  return { current, newer };

  /** @throws DomainError `unavailable` while no keys are known */
  async function current(): Promise<KeyFinder> {
    if (known && !isOver(loadedMs, FRESH_MS)) return known;
    if (loading || isOver(attemptMs, known ? RETRY_MS : OUTAGE_RETRY_MS)) {
      const refreshed = refresh();
      if (!known || (isOver(loadedMs, STALE_MS) && !hasFailed)) await refreshed;
    }
    if (!known)
      throw unavailable('The keys of the issuer of this token are not known at the moment; try again.');
    return known;
  }

  /** For a token whose key is not among these: loads the keys again, unless that was just done for another one. */
  async function newer(than: KeyFinder): Promise<KeyFinder> {
    if (known === than && (loading || isOver(unknownMs, UNKNOWN_RETRY_MS))) {
      unknownMs = clock().getTime();
      await refresh();
    }
    return known ?? than;
  }

  /** Never rejects. */
  function refresh(): Promise<void> {
    loading ??= loadAll().finally(() => {
      loading = undefined;
    });
    return loading;
  }

  async function loadAll(): Promise<void> {
    attemptMs = clock().getTime();
    try {
      const keys = await load();
      const text = JSON.stringify(keys);
      // Verified tokens remain so as long as the keys are the same.
      if (!known || text !== knownText) known = createLocalJWKSet({ keys });
      knownText = text;
      loadedMs = clock().getTime();
      hasFailed = false;
    } catch (error) {
      hasFailed = true;
      onError(error);
    }
  }

  /** Whether a time has passed since then. A clock that was set back does not make it longer. */
  function isOver(sinceMs: number | undefined, ms: number): boolean {
    if (sinceMs === undefined) return true;
    const passed = clock().getTime() - sinceMs;
    return passed < 0 || passed >= ms;
  }
}
