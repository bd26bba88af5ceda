import { tooManyRequests } from '../../errors.js';

interface Waiting {
  tenantId: string;
  start(): void;
}

/**
 * Lets one piece of work of each tenant go on at a time, and so many of all tenants; the others wait, first come,
 * first served.
 *
 * @param maxWaiting of one tenant
 */
export function createTurns({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }) {
  const running = new Set<string>();
  const waiting = new Set<Waiting>();

  function startWaiting(): void {
    for (const one of waiting) {
      if (running.size >= atOnce) return;
      if (running.has(one.tenantId)) continue;
      waiting.delete(one);
      running.add(one.tenantId);
      one.start();
    }
  }

  function takePlace(tenantId: string, signal: AbortSignal): Promise<void> {
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
  return async function inTurn<T>(tenantId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const queued = [...waiting].filter((one) => one.tenantId === tenantId).length;
    if (queued >= maxWaiting) {
      throw tooManyRequests('Too many sitemaps of this tenant wait to be read; try again later.');
    }
    await takePlace(tenantId, signal);
    try {
      return await work();
    } finally {
      running.delete(tenantId);
      startWaiting();
    }
  };
}
