import { queryClient, trpc } from '../../../api/trpc';
import { createStore } from '../../../ui/store';
import type { Changed, Step } from './steps';

/** A change of many conversations that is under way, also while another screen is open. */
interface Run {
  done: number;
  total: number;
  isCancelled: boolean;
}

export interface Outcome {
  changed: Changed[];
  skipped: number;
  why: string | undefined;
  /** Whether some were not looked at. */
  isCut: boolean;
  /** What ended it early. */
  error: unknown;
}

const run = createStore<Run | undefined>(undefined);
let last: Promise<unknown> = Promise.resolve();

/** The change that is under way. */
export const useRun = run.use;

/** Ends it after the present step. */
export function cancelRun(): void {
  const now = run.get();
  if (now) run.set({ ...now, isCancelled: true });
}

/** Goes through the steps of a change once those before are over, and says what came of it. */
export function runSteps(total: number, steps: AsyncGenerator<Step>): Promise<Outcome> {
  const outcome = last.then(() => goThrough(total, steps));
  last = outcome;
  return outcome;
}

async function goThrough(total: number, steps: AsyncGenerator<Step>): Promise<Outcome> {
  const outcome: Outcome = { changed: [], skipped: 0, why: undefined, isCut: false, error: undefined };
  run.set({ done: 0, total, isCancelled: false });
  try {
    for await (const { looked, changed, skipped, why } of steps) {
      outcome.changed.push(...changed);
      outcome.skipped += skipped;
      outcome.why ??= why;
      const { done = 0, isCancelled = false } = run.get() ?? {};
      run.set({ done: Math.min(done + looked, total), total, isCancelled });
      outcome.isCut = isCancelled && done + looked < total;
      if (isCancelled) break;
    }
  } catch (error) {
    outcome.error = error;
  }
  run.set(undefined);
  await queryClient.invalidateQueries({ queryKey: trpc.conversations.pathKey() });
  return outcome;
}
