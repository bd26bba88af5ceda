/** Loaded into a measured process before anything else: answers each message with its memory after a collection, and its pauses. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface ProcessReport {
  /** Bytes. */
  rss: number;
  heapUsed: number;
  external: number;
  /** Milliseconds, since the last report. */
  delayP99: number;
  delayMax: number;
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
const delays = monitorEventLoopDelay({ resolution: 10 });
delays.enable();

process.on('message', () => {
  const [delayP99, delayMax] = [delays.percentile(99) / 1e6, delays.max / 1e6];
  collectGarbage();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ rss, heapUsed, external, delayP99, delayMax } satisfies ProcessReport);
  delays.reset();
});
// Listening alone does not keep the process running.
process.channel?.unref();
