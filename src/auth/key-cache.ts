import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * For how long a look-up of a key answers further requests, counted from when it was sent. Whoever makes a key invalid
 * waits as long before saying so: by then no process uses a look-up from before.
 */
export const KEY_CACHE_MS = 200;

/** Timers may fire a little early. */
const TIMER_PRECISION_MS = 5;

/** Resolves when no process uses what it read of a key before this call. */
export const keyCachesExpired = (): Promise<void> => delay(KEY_CACHE_MS + TIMER_PRECISION_MS);

interface LookUp<T> {
  sentMs: number;
  result: Promise<T>;
}

/**
 * Shares look-ups of the same key among the requests that arrive within `KEY_CACHE_MS`. Rejections are looked up each
 * time, so that their time does not tell which keys are in use.
 *
 * @param now monotonic clock, in milliseconds
 */
export function createKeyCache<T>(lookUp: (text: string) => Promise<T>, now = () => performance.now()) {
  /** By the hash of the key, oldest first. */
  const lookUps = new Map<string, LookUp<T>>();

  return (text: string): Promise<T> => {
    const name = createHash('sha256').update(text).digest('base64');
    const nowMs = now();
    const earlier = lookUps.get(name);
    if (earlier && isUsable(earlier, nowMs)) return earlier.result;
    const one = { sentMs: nowMs, result: lookUp(text) };
    removeOld(nowMs);
    lookUps.delete(name);
    lookUps.set(name, one);
    one.result.catch(() => lookUps.get(name) === one && lookUps.delete(name));
    return one.result;
  };

  function removeOld(nowMs: number): void {
    for (const [name, one] of lookUps) {
      if (isUsable(one, nowMs)) return;
      lookUps.delete(name);
    }
  }
}

const isUsable = ({ sentMs }: Pick<LookUp<unknown>, 'sentMs'>, nowMs: number): boolean =>
  nowMs - sentMs < KEY_CACHE_MS;
