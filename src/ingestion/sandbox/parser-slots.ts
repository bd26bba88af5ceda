type Lane = 'general' | 'small';

/**
 * Limits how many files are parsed concurrently. Small files have reserved slots and may use the general
 * ones, too. First in, first out.
 */
export function createParserSlots(slots: Record<Lane, number>) {
  const free = { ...slots };
  const waiting: { isSmall: boolean; grant: (lane: Lane) => void }[] = [];
  return { acquire };

  /**
   * @returns a function that releases the slot
   * @throws the reason of `signal` when it fires before there is a slot
   */
  async function acquire(isSmall: boolean, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const lane = freeLane(isSmall) ?? (await wait(isSmall, signal));
    return () => release(lane);
  }

  function freeLane(isSmall: boolean): Lane | undefined {
    const lane = isSmall && free.small > 0 ? 'small' : 'general';
    if (free[lane] === 0) return undefined;
    free[lane]--;
    return lane;
  }

  function wait(isSmall: boolean, signal: AbortSignal | undefined): Promise<Lane> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        waiting.splice(waiting.indexOf(waiter), 1);
        reject(signal?.reason);
      };
      const waiter = {
        isSmall,
        grant: (lane: Lane) => {
          signal?.removeEventListener('abort', onAbort);
          resolve(lane);
        },
      };
      waiting.push(waiter);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  function release(lane: Lane): void {
    const next = waiting.findIndex(({ isSmall }) => isSmall || lane === 'general');
    if (next === -1) free[lane]++;
    else waiting.splice(next, 1)[0]?.grant(lane);
  }
}
