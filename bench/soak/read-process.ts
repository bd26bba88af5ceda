import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import type { ProcessReport } from './report-memory.js';

/** What a server process has, by name. */
export async function readServerProcess(server: ChildProcess): Promise<Record<string, number>> {
  const answered = once(server, 'message', { signal: AbortSignal.timeout(30_000) });
  server.send('report');
  const [report] = (await answered) as [ProcessReport];
  return {
    rss: report.rss,
    heap: report.heapUsed,
    external: report.external,
    delayP99: report.delayP99,
    delayMax: report.delayMax,
    ...(await readDescriptors(server.pid)),
  };
}

/** Only Linux says how many files a process has open. */
async function readDescriptors(pid: number | undefined): Promise<{ descriptors?: number }> {
  const open = await readdir(`/proc/${pid}/fd`).catch(() => undefined);
  return open ? { descriptors: open.length } : {};
}

/** Memory of PostgreSQL's processes that is not shared, in bytes; undefined where nobody says. */
export async function readOwnMemory(pids: number[]): Promise<number | undefined> {
  let bytes = 0;
  for (const pid of pids) {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => undefined);
    const found = /^Pss_Anon: +(\d+) kB/m.exec(text ?? '');
    if (!found) return undefined;
    bytes += Number(found[1]) * 1024;
  }
  return bytes;
}
