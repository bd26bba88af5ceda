import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const PAGE_BYTES = 4096;
const run = promisify(execFile);

/**
 * Bytes of memory that a process has in use now, Buffers and WebAssembly included; 0 when it is gone.
 * Linux tells by a file (proc(5), `statm`, in pages), other systems by `ps`.
 */
export async function residentMemory(pid: number): Promise<number> {
  try {
    if (process.platform === 'linux') {
      const [, resident] = (await readFile(`/proc/${pid}/statm`, 'latin1')).split(' ');
      return Number(resident) * PAGE_BYTES;
    }
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
    return Number(stdout) * 1024;
  } catch {
    return 0;
  }
}
