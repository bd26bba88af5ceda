/**
 * Loaded into a server's process before anything else: reports over IPC every pause of its event loop, and its memory.
 */
import { readFileSync } from 'node:fs';
import type { MonitorMessage } from './observations.js';

const INTERVAL_MS = 10;
const REPORTED_MS = 50;
const MEMORY_INTERVAL_MS = 1_000;
/** Linux says how long the main thread has run, and how long it has waited for a processor, in nanoseconds. */
const SCHEDULE = `/proc/self/task/${process.pid}/schedstat`;

function processorMs(): number | undefined {
  try {
    return Number(readFileSync(SCHEDULE, 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return undefined;
  }
}

const report = (message: MonitorMessage) => process.connected && process.send?.(message);

let last = performance.now();
let lastBusy = processorMs();

setInterval(() => {
  const [now, busy] = [performance.now(), processorMs()];
  const elapsedMs = now - last;
  const busyMs = busy === undefined || lastBusy === undefined ? elapsedMs : busy - lastBusy;
  [last, lastBusy] = [now, busy];
  if (elapsedMs >= REPORTED_MS)
    report({ pause: { endedAt: performance.timeOrigin + now, elapsedMs, busyMs } });
}, INTERVAL_MS).unref();

setInterval(() => report({ residentBytes: process.memoryUsage.rss() }), MEMORY_INTERVAL_MS).unref();
