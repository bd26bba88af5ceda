import { setImmediate } from 'node:timers/promises';

export type CallsUnderWay = ReturnType<typeof createCallsUnderWay>;

/** Knows which calls have not ended. Those of clients that left go on without a connection. */
export function createCallsUnderWay() {
  const calls = new Set<Promise<unknown>>();
  return {
    async run<T>(begin: () => Promise<T>): Promise<T> {
      const call = begin();
      calls.add(call);
      try {
        return await call;
      } finally {
        calls.delete(call);
      }
    },

    /** Waits until none is left, nor any that another one makes at its end. */
    async ended(): Promise<void> {
      while (calls.size > 0) {
        await Promise.allSettled(calls);
        await setImmediate();
      }
    },
  };
}
