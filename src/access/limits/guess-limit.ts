import { createHash } from 'node:crypto';
import type { Standing } from './limiter.js';
import { MemoryBuckets } from './memory-buckets.js';
import { type Limit, secondsUntil } from './token-bucket.js';

const POLICY = 'failed-keys';
const MAX_KNOWN_KEYS = 10_000;

export type GuessLimit = ReturnType<typeof createGuessLimit>;

/**
 * Makes guessing keys slow: whoever came without a valid key too often is not even asked for one. Each process counts
 * for itself, so that no guess reaches the database.
 *
 * Keys that were valid lately are exempt. Many clients may share an address, behind a proxy or a company's network, and
 * one of them must not be able to shut out the others.
 */
export function createGuessLimit({ limit, now }: { limit: Limit; now?: () => number }) {
  const buckets = new MemoryBuckets(now);
  const known = new Set<string>();
  return { refusalOf, noteFailure, noteSuccess };

  /** Why nothing more is heard from an address for now; undefined where it may go on. */
  function refusalOf(address: string, credentials: string): Standing | undefined {
    if (known.has(digest(credentials))) return undefined;
    const { granted, tokens } = buckets.take([{ bucket: address, limit, amount: 0, needs: 1 }]);
    if (granted) return undefined;
    const seconds = Math.max(1, Math.ceil(secondsUntil(1, tokens[0] ?? 0, limit)));
    return { policy: POLICY, unit: 'requests', limit, available: 0, seconds };
  }

  function noteFailure(address: string, credentials: string): void {
    known.delete(digest(credentials));
    buckets.take([{ bucket: address, limit, amount: 1, needs: 1 }]);
  }

  function noteSuccess(credentials: string): void {
    const name = digest(credentials);
    known.delete(name);
    known.add(name);
    const [oldest] = known;
    if (known.size > MAX_KNOWN_KEYS && oldest !== undefined) known.delete(oldest);
  }
}

/** Keys themselves are kept nowhere. */
const digest = (credentials: string): string => createHash('sha256').update(credentials).digest('base64');
