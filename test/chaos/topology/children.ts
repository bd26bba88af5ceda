import { readdirSync, readFileSync } from 'node:fs';

/** The child processes of a process with such a title, by the list of processes of Linux; none elsewhere. */
export function childrenOf(parent: number, title = /./): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent && title.test(titleOf(pid)));
}

function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // It has ended meanwhile.
  }
}

function parentOf(pid: number): number | undefined {
  try {
    // "pid (name) state parent ...": a name may have spaces and parentheses.
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined; // It has ended meanwhile.
  }
}

/** False where it has ended already. */
export function killProcess(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
