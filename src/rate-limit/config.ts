import { z } from 'zod';
import type { RateLimits } from './rate-limiter.js';
import type { RateLimit } from './token-bucket.js';

const MAX_SECONDS = 31 * 24 * 3_600;

/** Default rate limits. */
const DEFAULTS = {
  keyRequests: { amount: 1_200, seconds: 60 },
  tenantRequests: { amount: 6_000, seconds: 60 },
  keySuggestions: { amount: 3_000, seconds: 60 },
  tenantSuggestions: { amount: 15_000, seconds: 60 },
  keyUploadBytes: { amount: 1_073_741_824, seconds: 60 },
  tenantUploadBytes: { amount: 4_294_967_296, seconds: 60 },
  failedKeys: { amount: 60, seconds: 60 },
};

/** As `rateLimitText` reads it. */
export const describeDefault = (name: keyof typeof DEFAULTS): string =>
  `${DEFAULTS[name].amount}/${DEFAULTS[name].seconds}`;

/** Limits that require API keys. */
const REQUIRES_KEYS = ['tenantRequests', 'tenantSuggestions', 'tenantUploadBytes', 'failedKeys'] as const;

export interface RateLimitConfig extends RateLimits {
  /** Requests per client address without a valid key. */
  failedKeys?: RateLimit | undefined;
}

type RateLimitOverrides = { [name in keyof RateLimitConfig]?: RateLimit | 'off' | undefined };

/** A configured rate limit: `1200/60` is a bucket of 1200 that refills in 60 seconds. */
export const rateLimitText = z
  .string()
  .regex(/^(off|[1-9]\d{0,14}\/[1-9]\d{0,6})$/, 'must be <amount>/<seconds>, such as 1200/60, or off')
  .transform((text): RateLimit | 'off' => {
    const [amount, seconds] = text.split('/').map(Number);
    return amount === undefined || seconds === undefined ? 'off' : { amount, seconds };
  })
  .refine(
    (limit) => limit === 'off' || limit.seconds <= MAX_SECONDS,
    `must be over ${MAX_SECONDS} seconds (31 days) at most`,
  )
  .optional();

/** Resolves the rate limits: with keys, unset ones have defaults. */
export function resolveRateLimits(
  wishes: RateLimitOverrides,
  { withKeys }: { withKeys: boolean },
): RateLimitConfig {
  const names = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[];
  const chosen = names.map((name) => {
    const wish = wishes[name] ?? (withKeys ? DEFAULTS[name] : 'off');
    return [name, wish === 'off' ? undefined : wish];
  });
  return Object.fromEntries(chosen);
}

/** The configured limits that require API keys. */
export const limitsRequiringKeys = (wishes: RateLimitOverrides): (typeof REQUIRES_KEYS)[number][] =>
  REQUIRES_KEYS.filter((name) => wishes[name] !== undefined && wishes[name] !== 'off');
