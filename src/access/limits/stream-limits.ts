import type { Caller } from './limiter.js';

/** How many streams may be open at a time; each server process counts its own. */
export interface StreamLimits {
  /** Of a key; where nobody has one, of an address. */
  perKey: number;
  perTenant: number;
  total: number;
}

/** The limit that is in the way of another stream. */
export interface FullStreams {
  of: 'key' | 'address' | 'tenant' | 'server';
  limit: number;
}

interface Rule extends FullStreams {
  counter: string;
}

export type StreamCount = ReturnType<typeof createStreamCount>;

/** Counts the streams that are open, of each caller and of all. */
export function createStreamCount(limits: StreamLimits) {
  const open = new Map<string, number>();
  const isFull = ({ counter, limit }: Rule) => (open.get(counter) ?? 0) >= limit;

  return {
    /** Counts another stream of a caller, unless a limit is in the way, which is given then. */
    enter(caller: Caller): FullStreams | undefined {
      const rules = rulesFor(caller, limits);
      const full = rules.find(isFull);
      if (full) return { of: full.of, limit: full.limit };
      for (const { counter } of rules) open.set(counter, (open.get(counter) ?? 0) + 1);
      return undefined;
    },

    /** For each stream that was counted, once. */
    leave(caller: Caller): void {
      for (const { counter } of rulesFor(caller, limits)) {
        const left = (open.get(counter) ?? 0) - 1;
        if (left > 0) open.set(counter, left);
        else open.delete(counter);
      }
    },
  };
}

const rulesFor = (caller: Caller, { perKey, perTenant, total }: StreamLimits): Rule[] => [
  ...('keyId' in caller
    ? [
        { of: 'key' as const, limit: perKey, counter: `key:${caller.keyId}` },
        { of: 'tenant' as const, limit: perTenant, counter: `tenant:${caller.tenantId}` },
      ]
    : [{ of: 'address' as const, limit: perKey, counter: `address:${caller.address}` }]),
  { of: 'server', limit: total, counter: 'server' },
];
