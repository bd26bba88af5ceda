import type { ChildProcess } from 'node:child_process';

/** A time in which the event loop of a process did nothing else. */
export interface Pause {
  /** Milliseconds since 1970. */
  endedAt: number;
  elapsedMs: number;
  /** How much of that its main thread was computing, rather than waiting for a processor that others had. */
  busyMs: number;
}

/** What the event loop monitor sends. */
export type MonitorMessage = { pause: Pause } | { residentBytes: number };

export interface Observations {
  pauses: Pause[];
  /** Each second. */
  residentBytes: number[];
}

/** Collects what the event loop monitor in a process reports. */
export function collectObservations(server: ChildProcess): Observations {
  const observations: Observations = { pauses: [], residentBytes: [] };
  server.on('message', (message: MonitorMessage) => {
    if ('pause' in message) observations.pauses.push(message.pause);
    else observations.residentBytes.push(message.residentBytes);
  });
  return observations;
}
