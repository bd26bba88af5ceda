import { AsyncResource } from 'node:async_hooks';

/** How long others wait at most, besides for a single one. */
const TURN_MS = 5;

/** Runs functions later, with pauses for other events, and without the asynchronous context of who asked for it. */
export function createTurns(): (run: () => void) => void {
  const context = new AsyncResource('Turns');
  const due: (() => void)[] = [];
  const takeTurn = () => {
    const end = performance.now() + TURN_MS;
    while (due.length > 0 && performance.now() < end) due.shift()?.();
    if (due.length > 0) setImmediate(takeTurn);
  };
  return (run) => {
    if (due.push(run) === 1) context.runInAsyncScope(setImmediate, undefined, takeTurn);
  };
}
