import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { childrenOf } from '../../test/chaos/topology/children.js';

/** Ticks of a second in /proc. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** The CPU time of a process, of its children, and of those of them that have ended, in microseconds. Linux only. */
export const cpuOf = (pid: number | undefined): number =>
  pid === undefined
    ? 0
    : [pid, ...childrenOf(pid)].reduce((sum, one) => sum + ticksOf(one, one === pid), 0) *
      (1_000_000 / TICKS);

function ticksOf(pid: number, withEnded: boolean): number {
  try {
    // "pid (name) state ...": user and system time are the 14th and 15th fields, those of ended children the next two.
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = status
      .slice(status.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return user + system + (withEnded ? endedUser + endedSystem : 0);
  } catch {
    return 0; // It has ended meanwhile.
  }
}
