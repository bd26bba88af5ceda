import { useSyncExternalStore } from 'react';
import { queryClient, trpc } from '../../../api/trpc';
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

let run: Run | undefined;
let last: Promise<unknown> = Promise.resolve();
const listeners = new Set<() => void>();

/** The change that is under way. */
export const useRun = (): Run | undefined => useSyncExternalStore(subscribe, () => run);

/** Ends it after the present step. */
export function cancelRun(): void {
  if (run) setRun({ ...run, isCancelled: true });
}

/** Goes through the steps of a change once those before are over, and says what came of it. */
export function runSteps(total: number, steps: AsyncGenerator<Step>): Promise<Outcome> {
  const outcome = last.then(() => goThrough(total, steps));
  last = outcome;
  return outcome;
}

async function goThrough(total: number, steps: AsyncGenerator<Step>): Promise<Outcome> {
  const outcome: Outcome = { changed: [], skipped: 0, why: undefined, isCut: false, error: undefined };
  setRun({ done: 0, total, isCancelled: false });
  try {
    for await (const { looked, changed, skipped, why } of steps) {
      outcome.changed.push(...changed);
      outcome.skipped += skipped;
      outcome.why ??= why;
      const { done = 0, isCancelled = false } = run ?? {};
      setRun({ done: Math.min(done + looked, total), total, isCancelled });
      outcome.isCut = isCancelled && done + looked < total;
      if (isCancelled) break;
    }
  } catch (error) {
    outcome.error = error;
  }
  setRun(undefined);
  await queryClient.invalidateQueries({ queryKey: trpc.conversations.pathKey() });
  return outcome;
}

function setRun(next: Run | undefined): void {
  run = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
