import { tooManyRequests } from '../../errors.js';

interface Waiting {
  tenantId: string;
  start(): void;
}

/**
 * A queue that runs one task of each tenant at a time, and no more than `concurrency` of all tenants; first in, first
 * out for those that may start.
 *
 * @param maxWaiting tasks of one tenant that may wait
 */
export function createTenantQueue({ concurrency, maxWaiting }: { concurrency: number; maxWaiting: number }) {
  const running = new Set<string>();
  const waiting = new Set<Waiting>();

  function startWaiting(): void {
    for (const one of waiting) {
      if (running.size >= concurrency) return;
      if (running.has(one.tenantId)) continue;
      waiting.delete(one);
      running.add(one.tenantId);
      one.start();
    }
  }

  function start(tenantId: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const one = { tenantId, start: resolve };
      waiting.add(one);
      const giveUp = () => {
        if (waiting.delete(one)) reject(signal.reason);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      startWaiting();
    });
  }

  /** @throws DomainError `too_many_requests` where too many wait already; the reason of `signal`, also while it waits */
  return async function run<T>(tenantId: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    const queued = [...waiting].filter((one) => one.tenantId === tenantId).length;
    if (queued >= maxWaiting) {
      throw tooManyRequests('Too many sitemaps of this tenant wait to be read; try again later.');
    }
    await start(tenantId, signal);
    try {
      return await task();
    } finally {
      running.delete(tenantId);
      startWaiting();
    }
  };
}
