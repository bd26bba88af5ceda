import type { BucketStore, RateLimit, Take } from './token-bucket.js';
import { ALLOW_DEBT, wholeSecondsUntil } from './token-bucket.js';

/** What is limited; nothing else is. */
export interface RateLimits {
  keyRequests?: RateLimit | undefined;
  tenantRequests?: RateLimit | undefined;
  keyUploadBytes?: RateLimit | undefined;
  tenantUploadBytes?: RateLimit | undefined;
}

/** Who is counted: a key and its tenant, or, where nobody has a key, an address. */
export type RateLimitedClient = { keyId: string; tenantId: string } | { address: string };

/** What a request takes. */
export interface RequestCost {
  requests: number;
  /** Of large bodies alone. What is not known yet is charged as it arrives. */
  bodyBytes?: number | undefined;
}

/** A limit that a request came under, and what is left of it. */
export interface RateLimitState {
  policy: string;
  unit: 'requests' | 'content-bytes';
  limit: RateLimit;
  /** Whole requests or bytes. */
  remaining: number;
  /** Whole seconds until there is more. */
  resetSeconds: number;
}

export interface RateLimitResult {
  allowed: boolean;
  states: RateLimitState[];
  /** The one that was in the way, the longest where there were several. */
  exceeded?: RateLimitState;
}

interface Rule extends Pick<RateLimitState, 'policy' | 'unit' | 'limit'> {
  bucket: string;
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** Decides which requests are served now, by what their callers have asked for lately. */
export function createRateLimiter({ store, limits }: { store: BucketStore; limits: RateLimits }) {
  return { consume, consumeBodyBytes };

  /** Takes what the request costs, from all of the caller's buckets or from none. */
  async function consume(
    caller: RateLimitedClient,
    { requests, bodyBytes }: RequestCost,
  ): Promise<RateLimitResult> {
    const rules = [
      ...requestRules(caller, limits),
      ...(bodyBytes === undefined ? [] : bodyRules(caller, limits)),
    ];
    if (rules.length === 0) return { allowed: true, states: [] };
    const takes = rules.map(({ bucket, unit, limit }): Take => {
      // More than fits at once would never be served.
      const calls = Math.min(requests, limit.amount);
      if (unit === 'requests') return { bucket, limit, amount: calls, minTokens: calls };
      // Bodies are served on credit, so that none is too large for its limit.
      return { bucket, limit, amount: bodyBytes ?? 0, minTokens: 1 };
    });
    const { granted, tokens } = await store.take(takes);
    const states = rules.map((rule, i) => rateLimitStateOf(rule, tokens[i] ?? 0));
    if (granted) return { allowed: granted, states };
    const exceededStates = rules.flatMap((rule, i) => {
      const [level = 0, needs = 0] = [tokens[i], takes[i]?.minTokens];
      return level < needs
        ? { ...rateLimitStateOf(rule, level), resetSeconds: wholeSecondsUntil(needs, level, rule.limit) }
        : [];
    });
    const [exceeded] = exceededStates.sort((a, b) => b.resetSeconds - a.resetSeconds);
    return { allowed: granted, states, ...(exceeded && { exceeded }) };
  }

  /** Takes bytes that have come already, whether the buckets have them or not. */
  async function consumeBodyBytes(caller: RateLimitedClient, bytes: number): Promise<void> {
    const rules = bodyRules(caller, limits);
    if (rules.length === 0) return;
    await store.take(
      rules.map(({ bucket, limit }) => ({ bucket, limit, amount: bytes, minTokens: ALLOW_DEBT })),
    );
  }
}

const requestRules = (caller: RateLimitedClient, limits: RateLimits): Rule[] =>
  'keyId' in caller
    ? [
        ...rule('key', 'requests', caller.keyId, limits.keyRequests),
        ...rule('tenant', 'requests', caller.tenantId, limits.tenantRequests),
      ]
    : rule('address', 'requests', caller.address, limits.keyRequests);

const bodyRules = (caller: RateLimitedClient, limits: RateLimits): Rule[] =>
  'keyId' in caller
    ? [
        ...rule('key-bytes', 'content-bytes', caller.keyId, limits.keyUploadBytes),
        ...rule('tenant-bytes', 'content-bytes', caller.tenantId, limits.tenantUploadBytes),
      ]
    : rule('address-bytes', 'content-bytes', caller.address, limits.keyUploadBytes);

const rule = (policy: string, unit: Rule['unit'], id: string, limit: RateLimit | undefined): Rule[] =>
  limit ? [{ policy, unit, limit, bucket: `${policy}:${id}` }] : [];

function rateLimitStateOf({ policy, unit, limit }: Rule, tokens: number): RateLimitState {
  const available = Math.max(0, Math.floor(tokens));
  return {
    policy,
    unit,
    limit,
    remaining: available,
    resetSeconds: wholeSecondsUntil(available + 1, tokens, limit),
  };
}
