import type { RateLimitedClient } from './rate-limiter.js';

/** How many streams may be open at a time; each server process counts its own. */
export interface StreamLimits {
  /** Of a key; where nobody has one, of an address. */
  perKey: number;
  perTenant: number;
  total: number;
}

/** The limit that is in the way of another stream. */
export interface ExceededStreamLimit {
  subject: 'key' | 'address' | 'tenant' | 'server';
  limit: number;
}

interface Rule extends ExceededStreamLimit {
  counter: string;
}

export type StreamCounter = ReturnType<typeof createStreamCounter>;

/** Counts the streams that are open, of each caller and of all. */
export function createStreamCounter(limits: StreamLimits) {
  const open = new Map<string, number>();
  const isFull = ({ counter, limit }: Rule) => (open.get(counter) ?? 0) >= limit;

  return {
    /** Counts another stream of a caller, unless a limit is in the way, which is given then. */
    acquire(caller: RateLimitedClient): ExceededStreamLimit | undefined {
      const rules = rulesFor(caller, limits);
      const full = rules.find(isFull);
      if (full) return { subject: full.subject, limit: full.limit };
      for (const { counter } of rules) open.set(counter, (open.get(counter) ?? 0) + 1);
      return undefined;
    },

    /** For each stream that was counted, once. */
    release(caller: RateLimitedClient): void {
      for (const { counter } of rulesFor(caller, limits)) {
        const left = (open.get(counter) ?? 0) - 1;
        if (left > 0) open.set(counter, left);
        else open.delete(counter);
      }
    },
  };
}

const rulesFor = (caller: RateLimitedClient, { perKey, perTenant, total }: StreamLimits): Rule[] => [
  ...('keyId' in caller
    ? [
        { subject: 'key' as const, limit: perKey, counter: `key:${caller.keyId}` },
        { subject: 'tenant' as const, limit: perTenant, counter: `tenant:${caller.tenantId}` },
      ]
    : [{ subject: 'address' as const, limit: perKey, counter: `address:${caller.address}` }]),
  { subject: 'server', limit: total, counter: 'server' },
];
