import { printError } from '../shared/print.js';

const AT_ONCE_MS = 1_000;

/**
 * A signal that Ctrl-C aborts, so that what is under way can stop in order. Pressed again, it ends the process. npm
 * passes each on to a process that the terminal has told already, so that two come at once.
 */
export function onInterrupt(): AbortSignal {
  const stopping = new AbortController();
  let firstAt = 0;
  const stop = () => {
    if (stopping.signal.aborted && performance.now() - firstAt > AT_ONCE_MS) process.exit(1);
    if (stopping.signal.aborted) return;
    firstAt = performance.now();
    printError('\nStopping. Press Ctrl-C again to end at once.\n');
    stopping.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return stopping.signal;
}
