import type { Database } from '../../db/schema.js';
import { Lease } from './lease.js';
import { leasePolicyOf, MAX_LEASE_MS } from './lease-policy.js';
import { askSharedBuckets, type BucketRequest, deleteFullBuckets } from './shared-buckets.js';
import { ALLOW_DEBT, type BucketStore, type Take, type TakeResult, tokensPerSecond } from './token-bucket.js';

/** Buckets whose tokens are returned by one statement. */
const RETURN_BATCH = 100;

interface PostgresBucketStoreOptions {
  /** For what requests do not wait for. */
  backgroundDb?: Database;
  /** Called when unused tokens could not be returned; they are lost. */
  onError?: (error: unknown) => void;
  /** Monotonic clock, in milliseconds. */
  now?: () => number;
  maxLeaseMs?: number;
}

/**
 * Buckets shared by all servers of a database. A process that takes often from a bucket leases some tokens, spends them
 * without asking, and returns after a moment what it has not spent: a hot bucket is no hot row.
 */
export function createPostgresBucketStore(
  db: Database,
  {
    backgroundDb = db,
    onError = () => {},
    now = () => performance.now(),
    maxLeaseMs = MAX_LEASE_MS,
  }: PostgresBucketStoreOptions = {},
): BucketStore {
  const leases = new Map<string, Lease>();
  /** Leases that are being renewed; others who need them wait. */
  const renewals = new Map<string, Promise<unknown>>();
  let returning: NodeJS.Timeout | undefined;

  async function take(takes: Take[]): Promise<TakeResult> {
    for (;;) {
      const local = takeLocally(takes);
      if (local) return local;
      const busy = takes.map(({ bucket }) => renewals.get(bucket)).find(Boolean);
      if (!busy) return ask(takes);
      await busy;
    }
  }

  /** @returns undefined where the shared buckets have to be asked */
  function takeLocally(takes: Take[]): TakeResult | undefined {
    const nowMs = now();
    const own: { lease: Lease; amount: number }[] = [];
    for (const { bucket, amount } of takes) {
      const lease = leases.get(bucket);
      if (!lease) return undefined;
      own.push({ lease, amount: Math.min(amount, lease.policy.size) });
    }
    const isGranted = own.every(({ lease, amount }) => lease.available(nowMs) >= amount);
    if (!isGranted && !own.some(({ lease, amount }) => lease.isRefused(amount, nowMs))) return undefined;
    if (isGranted) for (const { lease, amount } of own) lease.spend(amount);
    return { granted: isGranted, tokens: own.map(({ lease }) => lease.level(nowMs)) };
  }

  function ask(takes: Take[]): Promise<TakeResult> {
    const asking = askNow(takes);
    const renewed = takes.filter(({ bucket }) => leases.has(bucket));
    for (const { bucket } of renewed) renewals.set(bucket, asking);
    const done = () => {
      for (const { bucket } of renewed) renewals.delete(bucket);
    };
    asking.then(done, done);
    return asking;
  }

  async function askNow(takes: Take[]): Promise<TakeResult> {
    const askedMs = now();
    const requests = takes.map((take) => requestOf(take, askedMs));
    const { granted, levels, leased } = await askSharedBuckets(db, requests);
    const tokens = requests.map(({ bucket, amount }, i) => {
      const [level = 0, extra = 0] = [levels[i], leased[i]];
      leases.get(bucket)?.renew(askedMs, { level, tokens: extra, granted: granted ? amount : undefined });
      return level + extra;
    });
    return { granted, tokens };
  }

  function requestOf({ bucket, limit, amount, minTokens, isLeasable }: Take, askedMs: number): BucketRequest {
    const lease = isLeasable ? leaseOf(bucket, limit) : undefined;
    const request = { bucket, tokensPerSecond: tokensPerSecond(limit) };
    if (!lease) return { ...request, size: limit.amount, returned: 0, minTokens, amount, extra: 0 };
    const { size } = lease.policy;
    // A batch larger than the bucket costs all of it.
    const most = Math.min(amount, size);
    return {
      ...request,
      size,
      returned: lease.release(askedMs),
      minTokens: most,
      amount: most,
      extra: lease.wanted(askedMs),
    };
  }

  function leaseOf(bucket: string, limit: Take['limit']): Lease | undefined {
    const known = leases.get(bucket);
    if (known) return known;
    const policy = leasePolicyOf(limit, maxLeaseMs);
    if (!policy) return undefined;
    const lease = new Lease(policy);
    leases.set(bucket, lease);
    returnLater();
    return lease;
  }

  function returnLater(): void {
    returning ??= setTimeout(() => {
      returning = undefined;
      void returnTokens((lease) => lease.hasExpiredTokens(now()));
    }, MAX_LEASE_MS).unref();
  }

  /** Returns the tokens of leases that are due, and forgets those that are not used any more. */
  async function returnTokens(isDue: (lease: Lease) => boolean): Promise<void> {
    const requests: BucketRequest[] = [];
    for (const [bucket, lease] of leases) {
      if (renewals.has(bucket)) continue;
      if (isDue(lease)) requests.push({ ...RETURN, ...lease.policy, bucket, returned: lease.release(now()) });
      else if (lease.isForgettable(now())) leases.delete(bucket);
    }
    if (leases.size > 0) returnLater();
    try {
      for (let i = 0; i < requests.length; i += RETURN_BATCH)
        await askSharedBuckets(backgroundDb, requests.slice(i, i + RETURN_BATCH));
    } catch (error) {
      onError(error);
    }
  }

  return {
    take,

    async *sweep() {
      await returnTokens((lease) => lease.hasExpiredTokens(now()));
      yield* deleteFullBuckets(backgroundDb);
    },

    async stop() {
      await returnTokens(() => true);
      clearTimeout(returning);
    },
  };
}

const RETURN = { minTokens: ALLOW_DEBT, amount: 0, extra: 0 };
