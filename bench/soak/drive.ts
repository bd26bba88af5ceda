import { setTimeout as delay } from 'node:timers/promises';

/** Requests at a time; a server that has as many does not keep up. */
const MAX_IN_FLIGHT = 200;

export interface LoadReport {
  requests: number;
  failed: number;
  /** Answered by 503: a machine that is too busy. Not among those that failed. */
  unavailable: number;
  /** Not sent, as too many were under way. */
  skipped: number;
  p50: number;
  p99: number;
}

/** Sends requests at a steady rate, however long each takes. */
export function drive(
  next: () => { kind: string; send: () => Promise<unknown> },
  { rate, onError }: { rate: number; onError: (kind: string, error: unknown) => void },
) {
  const stopping = new AbortController();
  const inFlight = new Set<Promise<void>>();
  let times: number[] = [];
  let [failed, unavailable, skipped] = [0, 0, 0];

  async function run(): Promise<void> {
    const started = performance.now();
    for (let sent = 0; !stopping.signal.aborted; sent++) {
      const wait = started + (sent * 1_000) / rate - performance.now();
      if (wait > 0) await delay(wait, undefined, { signal: stopping.signal }).catch(() => {});
      if (inFlight.size >= MAX_IN_FLIGHT) skipped += 1;
      else sendOne();
    }
    await Promise.all(inFlight);
  }

  function sendOne(): void {
    const { kind, send } = next();
    const began = performance.now();
    const sending = send()
      .then(
        () => void times.push(performance.now() - began),
        (error) => {
          if (isUnavailable(error)) unavailable += 1;
          else failed += 1;
          onError(kind, error);
        },
      )
      .finally(() => inFlight.delete(sending));
    inFlight.add(sending);
  }

  const running = run();
  return {
    /** What happened since the last report. */
    report(): LoadReport {
      const sorted = times.sort((a, b) => a - b);
      const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? 0;
      const report = { requests: sorted.length, failed, unavailable, skipped, p50: at(0.5), p99: at(0.99) };
      times = [];
      [failed, unavailable, skipped] = [0, 0, 0];
      return report;
    },
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}

const isUnavailable = (error: unknown): boolean =>
  (error as { data?: { httpStatus?: number } }).data?.httpStatus === 503;
