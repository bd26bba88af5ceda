import type { IsGenuine } from '../genuine-keys.js';
import type { Standing } from './limiter.js';
import { MemoryBuckets } from './memory-buckets.js';
import { type Limit, wholeSeconds } from './token-bucket.js';

const POLICY = 'failed-keys';

export interface GuessLimitOptions {
  limit: Limit;
  isGenuine: IsGenuine;
  now?: () => number;
}

export type GuessLimit = ReturnType<typeof createGuessLimit>;

/**
 * Keeps floods of wrong keys away from the database: whoever came without a valid key too often is not looked up any
 * more. Each process counts for itself. It is not there to protect the keys, whose secrets nobody guesses.
 *
 * Genuine keys are heard in any case. Many clients may share an address, behind a proxy or a company's network, and one
 * of them must not be able to shut out the others.
 */
export function createGuessLimit({ limit, isGenuine, now }: GuessLimitOptions) {
  const buckets = new MemoryBuckets(now);
  return { refusalOf, noteFailure };

  /** Why a key, or none, is not heard from an address for now; undefined where it is. */
  async function refusalOf(address: string, key: string | undefined): Promise<Standing | undefined> {
    const { granted, tokens } = buckets.take([{ bucket: address, limit, amount: 0, needs: 1 }]);
    if (granted || (key !== undefined && (await isGenuine(key)))) return undefined;
    const seconds = wholeSeconds(1, tokens[0] ?? 0, limit);
    return { policy: POLICY, unit: 'requests', limit, available: 0, seconds };
  }

  function noteFailure(address: string): void {
    buckets.take([{ bucket: address, limit, amount: 1, needs: 1 }]);
  }
}
