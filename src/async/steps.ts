import { setImmediate } from 'node:timers/promises';

/** Work that yields between steps of at most some milliseconds, and returns its result. */
export type Steps<T> = Generator<void, T>;

/** Does all steps at once, for processes that do nothing else. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Lets the event loop do other work between the steps. */
export async function runYielding<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await setImmediate();
  }
}
