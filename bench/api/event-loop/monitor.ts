/**
 * Loaded into a server's process before anything else: reports over IPC for how much processor time its event loop ran
 * without a turn of the timers. On a busy machine that is less than the time by the clock.
 */
import { readFileSync } from 'node:fs';

export interface MonitorMessage {
  blockedMs: number;
}

const INTERVAL_MS = 2;
const REPORTED_MS = 4;
/** Linux counts for how many nanoseconds the main thread has run. */
const SCHEDULE = `/proc/self/task/${process.pid}/schedstat`;
const processorMs = () => Number(readFileSync(SCHEDULE, 'latin1').split(' ')[0]) / 1e6;

let last = processorMs();
setInterval(() => {
  const now = processorMs();
  const blockedMs = now - last;
  last = now;
  if (blockedMs >= REPORTED_MS && process.connected) process.send?.({ blockedMs } satisfies MonitorMessage);
}, INTERVAL_MS).unref();
