interface Waiting {
  key: string;
  start(): void;
}

export interface ConcurrencyLimitOptions {
  /** Tasks of one key at a time. */
  perKey: number;
  /** Tasks of all keys together. */
  total?: number;
  /** Longest time that a task may wait, in milliseconds, most tasks of a key that may, and what is thrown beyond. */
  wait?: { maxMs: number; maxTasks: number; toError: () => Error };
}

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>;

/** Of tasks that waited for too long; what follows from each error is done before the next ones. */
const EXPIRED_TOGETHER = 20;

/**
 * Limits how many tasks run at a time, for each key (such as a tenant) and together. The others wait; of those that
 * may start, the first to come is the first to start.
 */
export function createConcurrencyLimit({
  perKey,
  total = Number.POSITIVE_INFINITY,
  wait,
}: ConcurrencyLimitOptions) {
  const running = new Map<string, number>();
  const waiting = new Set<Waiting>();
  const expired: (() => void)[] = [];
  let runningTotal = 0;
  return { run, countWaiting };

  /** @throws the reason of `signal`, also while the task waits; the error of `wait` */
  async function run<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await acquire(key, signal);
    try {
      return await task();
    } finally {
      release(key);
    }
  }

  function countWaiting(key: string): number {
    let count = 0;
    for (const one of waiting) if (one.key === key) count++;
    return count;
  }

  async function acquire(key: string, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (canStart(key)) return take(key);
    if (wait && countWaiting(key) >= wait.maxTasks) throw wait.toError();
    await new Promise<void>((resolve, reject) => {
      const leave = (error: unknown) => {
        end();
        reject(error);
      };
      const abort = () => leave(signal?.reason);
      const expire = () => waiting.has(one) && leave(wait?.toError());
      const timer = wait && setTimeout(() => expireLater(expire), wait.maxMs);
      const end = () => {
        waiting.delete(one);
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      const start = () => {
        end();
        resolve();
      };
      const one = { key, start };
      signal?.addEventListener('abort', abort, { once: true });
      waiting.add(one);
    });
  }

  /** Many that came together expire together. */
  function expireLater(expire: () => void): void {
    if (expired.push(expire) === 1) setImmediate(expireSome);
  }

  function expireSome(): void {
    for (const expire of expired.splice(0, EXPIRED_TOGETHER)) expire();
    if (expired.length > 0) setImmediate(expireSome);
  }

  /** One slot is free now, so one of those that wait may start. */
  function release(key: string): void {
    runningTotal--;
    const left = (running.get(key) ?? 0) - 1;
    if (left > 0) running.set(key, left);
    else running.delete(key);
    for (const one of waiting) {
      if (!canStart(one.key)) continue;
      take(one.key);
      one.start();
      return;
    }
  }

  function canStart(key: string): boolean {
    return runningTotal < total && (running.get(key) ?? 0) < perKey;
  }

  function take(key: string): void {
    runningTotal++;
    running.set(key, (running.get(key) ?? 0) + 1);
  }
}
