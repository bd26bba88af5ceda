import { setTimeout as delay } from 'node:timers/promises';

const MINUTE_MS = 60_000;

export interface PaceLimits {
  requestsPerMinute?: number | undefined;
  tokensPerMinute?: number | undefined;
}

export interface Pacer {
  /** Waits for the turn of a request with so many tokens. */
  wait(tokens: number, signal: AbortSignal): Promise<void>;
}

/** Spreads requests evenly, so that no minute has more than the limits allow. */
export function createPacer({ requestsPerMinute, tokensPerMinute }: PaceLimits): Pacer {
  let next = 0;
  return {
    async wait(tokens, signal) {
      const now = performance.now();
      const start = Math.max(now, next);
      const perRequest = requestsPerMinute === undefined ? 0 : MINUTE_MS / requestsPerMinute;
      const perTokens = tokensPerMinute === undefined ? 0 : (MINUTE_MS * tokens) / tokensPerMinute;
      next = start + Math.max(perRequest, perTokens);
      if (start > now) await delay(start - now, undefined, { signal });
    },
  };
}
