import type { RateLimitedClient } from './rate-limiter.js';

/** Limits of concurrent streams, per server process. */
export interface StreamLimits {
  /** Per API key or user of a token; in open mode per address. */
  perKey: number;
  perTenant: number;
  total: number;
}

/** The exceeded limit. */
export interface ExceededStreamLimit {
  subject: 'key' | 'user' | 'address' | 'tenant' | 'server';
  limit: number;
}

/** Streams of a client, without those of others. */
export interface OpenStreams {
  subject: 'key' | 'user' | 'address' | 'tenant';
  open: number;
  limit: number;
}

interface Rule extends ExceededStreamLimit {
  counter: string;
}

export type StreamCounter = ReturnType<typeof createStreamCounter>;

/** Counts open streams per client and in total. */
export function createStreamCounter(limits: StreamLimits) {
  const open = new Map<string, number>();
  const isFull = ({ counter, limit }: Rule) => (open.get(counter) ?? 0) >= limit;

  return {
    /** Acquires a stream; returns the exceeded limit instead if there is one. */
    acquire(caller: RateLimitedClient): ExceededStreamLimit | undefined {
      const rules = rulesFor(caller, limits);
      const full = rules.find(isFull);
      if (full) return { subject: full.subject, limit: full.limit };
      for (const { counter } of rules) open.set(counter, (open.get(counter) ?? 0) + 1);
      return undefined;
    },

    /** How many streams are open for the client, and how many may be. */
    read: (caller: RateLimitedClient): OpenStreams[] =>
      rulesFor(caller, limits).flatMap(({ subject, limit, counter }) =>
        subject === 'server' ? [] : [{ subject, limit, open: open.get(counter) ?? 0 }],
      ),

    /** Releases an acquired stream. Call once per stream. */
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
  ...('callerId' in caller
    ? [
        { subject: caller.kind, limit: perKey, counter: `key:${caller.callerId}` },
        { subject: 'tenant' as const, limit: perTenant, counter: `tenant:${caller.tenantId}` },
      ]
    : [{ subject: 'address' as const, limit: perKey, counter: `address:${caller.address}` }]),
  { subject: 'server', limit: total, counter: 'server' },
];
