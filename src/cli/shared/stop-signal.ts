/** npm passes a Ctrl-C on that the terminal has sent to the whole process group. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Calls `stop` at the first SIGTERM or SIGINT. Another one, but for a repetition within a second, ends the process as if
 * nobody listened.
 */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
  let since: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (since === undefined) {
      since = performance.now();
      stop(signal);
    } else if (performance.now() - since > SAME_SIGNAL_MS) {
      process.removeListener(signal, onSignal);
      process.kill(process.pid, signal);
    }
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
