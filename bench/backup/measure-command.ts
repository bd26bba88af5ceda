import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../program/lectern.js', import.meta.url));
const MIB = 1024 * 1024;
const POLL_MS = 50;

/** Runs a command of the program. Its memory is known on Linux. */
export async function measureCommand(args: string[], folder: string, env: Record<string, string>) {
  const began = performance.now();
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let peak = 0;
  const polling = setInterval(() => {
    peak = Math.max(peak, readPeak(child.pid));
  }, POLL_MS);
  const [status] = await once(child, 'exit');
  clearInterval(polling);
  if (status !== 0) throw new Error(`lectern ${args.join(' ')} ended with ${status}.`);
  const seconds = (performance.now() - began) / 1000;
  const mib = (await sizeOf(folder)) / MIB;
  return {
    command: args.filter((arg) => /^\w+$/.test(arg)).join(' '),
    seconds,
    mib,
    mibPerSecond: mib / seconds,
    memoryMib: peak,
  };
}

/** The most memory that a process has had, in MiB. */
function readPeak(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => (await stat(path.join(parentPath, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
