import { queryClient, trpc } from '../../api/trpc';
import { createStore } from '../../ui/store';
import type { Moved, Step } from './steps';

/** What a change of datasets is, for those who watch it. */
export type Task = { kind: 'move'; to: string } | { kind: 'delete'; from: string } | { kind: 'undo' };

interface Work {
  task: Task;
  total: number;
  /** Begins after so many documents. */
  steps: (done: number) => AsyncGenerator<Step>;
  /** Called when nothing is left, or when it was stopped. */
  onEnd: (outcome: Outcome) => void;
}

export interface Outcome {
  changed: number;
  moved: Moved[];
  isStopped: boolean;
}

/** A change that is under way, also while another screen is open; or that was interrupted. */
export interface Run {
  task: Task;
  done: number;
  total: number;
  isStopping: boolean;
  /** Why it was interrupted, and what tells it whether to go on. */
  interrupted?: { error: unknown; decide: (goesOn: boolean) => void };
}

const run = createStore<Run | undefined>(undefined);
let last: Promise<unknown> = Promise.resolve();

/** The change that is under way. */
export const useRun = run.use;

/** Ends it after the present step. */
export function stopRun(): void {
  const now = run.get();
  if (now) run.set({ ...now, isStopping: true });
}

/**
 * Makes a change step by step, once those before are over.
 *
 * @returns when it has ended, or was given up
 */
export function startRun(work: Work): Promise<void> {
  const ended = last.then(() => goThrough(work));
  last = ended;
  return ended;
}

async function goThrough(work: Work): Promise<void> {
  const { task } = work;
  const outcome: Outcome = { changed: 0, moved: [], isStopped: false };
  let done = 0;
  // More may have been added since it was counted.
  const show = (more: Partial<Run>) =>
    run.set({ task, done, total: Math.max(work.total, done), isStopping: false, ...more });
  for (;;) {
    show({});
    try {
      for await (const { looked, changed, moved = [] } of work.steps(done)) {
        done += looked;
        outcome.changed += changed;
        outcome.moved.push(...moved);
        const isStopping = run.get()?.isStopping ?? false;
        outcome.isStopped = isStopping && done < work.total;
        if (isStopping) break;
        show({});
      }
      break;
    } catch (error) {
      await refresh();
      const goesOn = await new Promise<boolean>((decide) => show({ interrupted: { error, decide } }));
      if (goesOn) continue;
      run.set(undefined);
      // What was moved until then can still be moved back.
      if (outcome.changed > 0) work.onEnd({ ...outcome, isStopped: true });
      return;
    }
  }
  run.set(undefined);
  await refresh();
  work.onEnd(outcome);
}

const refresh = () =>
  Promise.all(
    [trpc.documents.pathKey(), trpc.datasets.pathKey(), trpc.reach.pathKey()].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );

// What is under way ends with the page: nobody leaves it unawares.
window.addEventListener('beforeunload', (event) => {
  const now = run.get();
  if (now && !now.interrupted) event.preventDefault();
});
