const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Retry delays; after the last one the delivery fails for good. */
export const DELAYS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** Jitter, to spread retries. */
const JITTER = 0.2;
const MAX_RETRY_AFTER_MS = 24 * HOUR;

/** Circuit breaker: consecutive failures before a pause, and the probe interval. */
export const FAILURES_BEFORE_PAUSE = 15;
export const PROBE_INTERVAL_MS = HOUR;
/** Backoff for an overloaded consumer without Retry-After. */
const INITIAL_BACKOFF_MS = 5 * SECOND;
const MAX_BACKOFF_MS = 5 * MINUTE;

const GONE = 410;
export const OVERLOADED = new Set([429, 502, 503, 504]);

export interface DeliveryFailure {
  /** Of the answer, if there was one. */
  status: number | null;
  /** From Retry-After. */
  retryAfterMs?: number | undefined;
}

/**
 * Time of the next attempt after a failure; null if there is none.
 *
 * @param attempts attempts so far
 */
export function nextAttemptTime(
  attempts: number,
  { status, retryAfterMs = 0 }: DeliveryFailure,
  now: Date,
  random: () => number = Math.random,
): Date | null {
  const delay = DELAYS[attempts - 1];
  if (delay === undefined || status === GONE) return null;
  const wished = Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
  return later(now, Math.max(delay * (1 + JITTER * random()), wished));
}

export interface SubscriptionHealth {
  enabled: boolean;
  /** In a row. */
  failures: number;
  pausedTime: Date | null;
  heldUntil: Date | null;
}

/** Subscription health after a failed attempt. */
export function afterFailure(
  before: SubscriptionHealth,
  { status, retryAfterMs }: DeliveryFailure,
  now: Date,
): SubscriptionHealth {
  const failures = before.failures + 1;
  const isPaused = before.pausedTime !== null || failures >= FAILURES_BEFORE_PAUSE;
  const rest = Math.min(retryAfterMs ?? backoffMs(failures), MAX_RETRY_AFTER_MS);
  return {
    enabled: before.enabled && status !== GONE,
    failures,
    pausedTime: isPaused ? (before.pausedTime ?? now) : null,
    heldUntil: latest(
      before.heldUntil,
      status !== null && OVERLOADED.has(status) ? later(now, rest) : null,
      isPaused ? later(now, PROBE_INTERVAL_MS) : null,
    ),
  };
}

/** A success ends a pause, but not a Retry-After of another response. */
export const afterSuccess = (before: SubscriptionHealth): SubscriptionHealth => ({
  enabled: before.enabled,
  failures: 0,
  pausedTime: null,
  heldUntil: before.pausedTime ? null : before.heldUntil,
});

const backoffMs = (failures: number) => Math.min(INITIAL_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS);

const later = (time: Date, ms: number) => new Date(time.getTime() + ms);

function latest(...times: (Date | null)[]): Date | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : new Date(Math.max(...known.map((time) => time.getTime())));
}
