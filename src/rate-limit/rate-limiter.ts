import type { BucketStore, RateLimit, Take } from './token-bucket.js';
import { ALLOW_DEBT, wholeSecondsUntil } from './token-bucket.js';

/** The configured limits; what is absent is unlimited. */
export interface RateLimits {
  keyRequests?: RateLimit | undefined;
  tenantRequests?: RateLimit | undefined;
  /** Of suggestions, which do not count as other requests. */
  keySuggestions?: RateLimit | undefined;
  tenantSuggestions?: RateLimit | undefined;
  keyUploadBytes?: RateLimit | undefined;
  tenantUploadBytes?: RateLimit | undefined;
}

/** Whose requests are counted: a key or the user of a token, and the tenant, or in open mode an address. */
export type RateLimitedClient =
  | { kind: 'key' | 'user'; callerId: string; tenantId: string }
  | { address: string };

/** The cost of a request in tokens. */
export interface RequestCost {
  requests: number;
  /** Further ones, for suggestions. */
  suggestions?: number | undefined;
  /** For large bodies only. Bodies of unknown size are charged as they arrive. */
  bodyBytes?: number | undefined;
}

/** A rate limit that applies to a request, and its remaining tokens. */
export interface RateLimitState {
  policy: string;
  unit: 'requests' | 'content-bytes';
  limit: RateLimit;
  /** Whole requests or bytes. */
  remaining: number;
  /** Whole seconds until more tokens are available. */
  resetSeconds: number;
}

export interface RateLimitResult {
  allowed: boolean;
  states: RateLimitState[];
  /** The exceeded limit; the one with the longest wait if there are several. */
  exceeded?: RateLimitState;
}

interface Rule extends Pick<RateLimitState, 'policy' | 'unit' | 'limit'> {
  bucket: string;
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** Token bucket rate limiter. */
export function createRateLimiter({ store, limits }: { store: BucketStore; limits: RateLimits }) {
  return { consume, consumeBodyBytes, read };

  /** Consumes the cost from all buckets of the client, or from none. */
  async function consume(
    caller: RateLimitedClient,
    { requests, suggestions = 0, bodyBytes }: RequestCost,
  ): Promise<RateLimitResult> {
    const rules = [
      ...(requests > 0 ? requestRules(caller, limits) : []),
      ...(suggestions > 0 ? suggestionRules(caller, limits) : []),
      ...(bodyBytes === undefined ? [] : bodyRules(caller, limits)),
    ];
    if (rules.length === 0) return { allowed: true, states: [] };
    const takes = rules.map(({ policy, bucket, unit, limit }): Take => {
      // A batch larger than the bucket would never be admitted.
      const calls = Math.min(policy.endsWith('suggestions') ? suggestions : requests, limit.amount);
      if (unit === 'requests') return { bucket, limit, amount: calls, minTokens: calls, isLeasable: true };
      // Bodies may put a bucket into debt, so that none is too large for its limit.
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

  /** All limits of the client, without consuming anything. */
  async function read(caller: RateLimitedClient): Promise<RateLimitState[]> {
    const rules = [requestRules, suggestionRules, bodyRules].flatMap((of) => of(caller, limits));
    if (rules.length === 0) return [];
    const { tokens } = await store.take(
      rules.map(({ bucket, unit, limit }) => ({
        bucket,
        limit,
        amount: 0,
        minTokens: ALLOW_DEBT,
        isLeasable: unit === 'requests',
      })),
    );
    return rules.map((rule, i) => rateLimitStateOf(rule, tokens[i] ?? 0));
  }

  /** Consumes bytes that were already received, even into debt. */
  async function consumeBodyBytes(caller: RateLimitedClient, bytes: number): Promise<void> {
    const rules = bodyRules(caller, limits);
    if (rules.length === 0) return;
    await store.take(
      rules.map(({ bucket, limit }) => ({ bucket, limit, amount: bytes, minTokens: ALLOW_DEBT })),
    );
  }
}

const requestRules = (caller: RateLimitedClient, limits: RateLimits): Rule[] =>
  'callerId' in caller
    ? [
        ...rule('key', 'requests', caller.callerId, limits.keyRequests),
        ...rule('tenant', 'requests', caller.tenantId, limits.tenantRequests),
      ]
    : rule('address', 'requests', caller.address, limits.keyRequests);

const suggestionRules = (caller: RateLimitedClient, limits: RateLimits): Rule[] =>
  'callerId' in caller
    ? [
        ...rule('key-suggestions', 'requests', caller.callerId, limits.keySuggestions),
        ...rule('tenant-suggestions', 'requests', caller.tenantId, limits.tenantSuggestions),
      ]
    : rule('address-suggestions', 'requests', caller.address, limits.keySuggestions);

const bodyRules = (caller: RateLimitedClient, limits: RateLimits): Rule[] =>
  'callerId' in caller
    ? [
        ...rule('key-bytes', 'content-bytes', caller.callerId, limits.keyUploadBytes),
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
