import { setTimeout as delay } from 'node:timers/promises';

/**
 * For how long what was read of a unit's synonyms answers further searches. Whoever changes them waits as long before
 * saying so: by then no process uses what it read before.
 */
export const CACHE_MS = 200;

/** Timers may fire a little early. */
const TIMER_PRECISION_MS = 5;

/** Resolves when no process uses synonyms that it read before this call. */
export const synonymCachesExpired = (): Promise<void> => delay(CACHE_MS + TIMER_PRECISION_MS);
