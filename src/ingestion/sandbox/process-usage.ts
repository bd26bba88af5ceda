import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const PAGE_BYTES = 4096;
/** Linux counts processor time in hundredths of a second, whatever the kernel's own clock. */
const TICK_MS = 10;
const run = promisify(execFile);

export interface ProcessUsage {
  /** In memory now, Buffers and WebAssembly included. */
  residentBytes: number;
  /** Milliseconds of processor time since it began, of all its threads. */
  processorMs: number;
}

/**
 * Memory and CPU time of a process; zero when it has exited. Read from /proc on Linux, with `ps` elsewhere.
 */
export async function readProcessUsage(pid: number): Promise<ProcessUsage> {
  try {
    return process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid);
  } catch {
    return { residentBytes: 0, processorMs: 0 };
  }
}

async function fromProc(pid: number): Promise<ProcessUsage> {
  const line = await readFile(`/proc/${pid}/stat`, 'latin1');
  // The name stands in parentheses, and may hold anything; what follows begins with the third field.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return { residentBytes: field(24) * PAGE_BYTES, processorMs: (field(14) + field(15)) * TICK_MS };
}

async function fromPs(pid: number): Promise<ProcessUsage> {
  const { stdout } = await run('ps', ['-o', 'rss=,time=', '-p', String(pid)]);
  const [kilobytes, time = ''] = stdout.trim().split(/\s+/);
  // [[days-]hours:]minutes:seconds
  const [days, clock] = time.includes('-') ? time.split('-') : ['0', time];
  const seconds = (clock ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return {
    residentBytes: Number(kilobytes) * 1024,
    processorMs: (Number(days) * 86_400 + seconds) * 1000,
  };
}
