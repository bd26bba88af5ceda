import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 60_000;
/** Below `testTimeout` in vitest.config.ts, so that a test that fails says what it waited for. */
const MOST_MS = 540_000;

/** How long to wait now: on a machine with more work than processors all takes longer, by as much. */
const patience = (): number =>
  Math.min(MOST_MS, PATIENCE_MS * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()));

/**
 * Polls until `look` returns a value other than `false`, `undefined` or `null`, and returns it. What it
 * throws counts as nothing yet, so it may hold assertions.
 *
 * @param options.what what is waited for, as the error names it: "the document to be ready"; else the code of
 * `look`
 * @param options.intervalMs between two looks (default 20)
 * @throws Error when it takes too long, with what `look` threw last
 */
export async function waitFor<T>(
  look: () => T | Promise<T>,
  { what = String(look), intervalMs = 20 }: { what?: string; intervalMs?: number } = {},
): Promise<Exclude<T, false | undefined | null>> {
  const began = performance.now();
  for (;;) {
    let thrown: unknown;
    try {
      const found = await look();
      if (found !== false && found !== undefined && found !== null) return found as never;
    } catch (error) {
      thrown = error;
    }
    const waitedMs = performance.now() - began;
    if (waitedMs > patience()) {
      const why = thrown instanceof Error ? `: ${thrown.message}` : '';
      throw new Error(`waited ${Math.round(waitedMs / 1000)} s for ${what}${why}`, { cause: thrown });
    }
    await delay(intervalMs);
  }
}

/** Waits until assertions hold; fails with the last one that did not. In a test, `expect.poll` does the same. */
export async function waitToHold(assert: () => unknown): Promise<void> {
  const holds = async () => {
    await assert();
    return true;
  };
  await waitFor(holds, { what: 'what is expected' });
}
