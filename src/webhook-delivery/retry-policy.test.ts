import { describe, expect, it } from 'vitest';
import { afterFailure, afterSuccess, nextAttemptTime } from './retry-policy.js';

const now = new Date('2026-03-01T12:00:00Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const failure = { status: 500 };
const well = { enabled: true, failures: 0, pausedTime: null, heldUntil: null };
const ahead = (ms: number) => new Date(now.getTime() + ms);

describe('the next try', () => {
  const delays = Array.from({ length: 10 }, (_, index) => {
    const next = nextAttemptTime(index + 1, failure, now, () => 0);
    return next && next.getTime() - now.getTime();
  });

  it('backs off over three days', () => {
    expect(delays).toEqual([
      5 * SECOND,
      5 * MINUTE,
      30 * MINUTE,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
      14 * HOUR,
      20 * HOUR,
      24 * HOUR,
      null,
    ]);
  });

  it('adds up to 20% jitter', () => {
    expect(nextAttemptTime(2, failure, now, () => 1)).toEqual(ahead(6 * MINUTE));
  });

  it('honours Retry-After up to a day', () => {
    const wish = (retryAfterMs: number) => nextAttemptTime(1, { ...failure, retryAfterMs }, now, () => 0);
    expect(wish(HOUR)).toEqual(ahead(HOUR));
    expect(wish(1)).toEqual(ahead(5 * SECOND));
    expect(wish(1_000 * HOUR)).toEqual(ahead(24 * HOUR));
  });

  it('is not scheduled after 410', () => {
    expect(nextAttemptTime(1, { status: 410 }, now)).toBe(null);
  });
});

describe('a subscription', () => {
  it('is paused after 15 consecutive failures and probed hourly', () => {
    const failing = { ...well, failures: 13 };
    expect(afterFailure(failing, failure, now)).toEqual({ ...well, failures: 14 });
    const paused = afterFailure({ ...failing, failures: 14 }, failure, now);
    expect(paused).toEqual({ enabled: true, failures: 15, pausedTime: now, heldUntil: ahead(HOUR) });
    expect(afterFailure(paused, { status: null }, ahead(HOUR))).toEqual({
      enabled: true,
      failures: 16,
      pausedTime: now,
      heldUntil: ahead(2 * HOUR),
    });
    expect(afterSuccess(paused)).toEqual(well);
  });

  it.each([429, 502, 503, 504])('backs off exponentially after %s', (status) => {
    expect(afterFailure(well, { status }, now).heldUntil).toEqual(ahead(5 * SECOND));
    expect(afterFailure({ ...well, failures: 2 }, { status }, now).heldUntil).toEqual(ahead(20 * SECOND));
    expect(afterFailure({ ...well, failures: 12 }, { status }, now).heldUntil).toEqual(ahead(5 * MINUTE));
    expect(afterFailure(well, { status, retryAfterMs: HOUR }, now).heldUntil).toEqual(ahead(HOUR));
  });

  it('keeps Retry-After when another delivery succeeds', () => {
    const resting = { ...well, failures: 1, heldUntil: ahead(HOUR) };
    expect(afterSuccess(resting)).toEqual({ ...well, heldUntil: ahead(HOUR) });
    expect(afterFailure(resting, { status: 429 }, now).heldUntil).toEqual(ahead(HOUR));
  });

  it('is disabled after 410', () => {
    expect(afterFailure(well, { status: 410 }, now)).toEqual({ ...well, enabled: false, failures: 1 });
  });
});
