import os from 'node:os';

/**
 * The scheduler prefers the server to a child by three to one. Not more: at the lowest priority a child may
 * take over a minute to start on a busy machine.
 */
const NICENESS = 5;

/** Lets the server go before a process that works on files. */
export function lowerPriority(pid: number): void {
  try {
    os.setPriority(pid, NICENESS);
  } catch {
    // Not required.
  }
}
