import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startServer } from '../../../src/cli/eval/server-process.js';

const REPORT_CPU = fileURLToPath(new URL('./report-cpu.js', import.meta.url));

/** A server process whose CPU time is measured: the service or a rival. */
export interface MeasuredServer {
  name: string;
  address: string;
  process: ChildProcess;
  /** User and system time of the process so far, in microseconds. */
  cpu(): Promise<number>;
  stop(): Promise<void>;
}

export interface ServiceVariant {
  name?: string;
  /** Variables besides. */
  env?: Record<string, string>;
  /** Modules that are loaded first. */
  preload?: string[];
  /** Another file than the built program. */
  entry?: string;
}

/** Starts the built service in open mode, with its usual log, on a database that is migrated. */
export async function startService(
  url: string,
  dataDir: string,
  { name = 'Lectern', env = {}, preload = [], entry }: ServiceVariant = {},
): Promise<MeasuredServer> {
  const { PATH } = globalThis.process.env;
  const { address, process, stop } = await startServer({
    env: { PATH, DATABASE_URL: url, DATA_DIR: dataDir, AUTH_MODE: 'open', LOG_LEVEL: 'info', ...env },
    preload: [REPORT_CPU, ...preload],
    program: entry,
  });
  return { name, address, process, cpu: () => readCpu(process), stop };
}

/** @param program in `rivals/`, such as "by-hand/by-hand" */
export async function startRival(
  name: string,
  program: string,
  url: string,
  ...args: string[]
): Promise<MeasuredServer> {
  const file = fileURLToPath(new URL(`../rivals/${program}.js`, import.meta.url));
  const rival = spawn(process.execPath, ['--import', REPORT_CPU, file, url, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  rival.stdout?.resume();
  const ended = once(rival, 'exit');
  const [started] = await Promise.race([once(rival, 'message'), ended]);
  const { address } = Object(started) as { address?: string };
  if (address === undefined) throw new Error(`The rival ${program} did not start.`);
  const stop = async () => {
    rival.kill('SIGTERM');
    await ended;
  };
  return { name, address, process: rival, cpu: () => readCpu(rival), stop };
}

async function readCpu(server: ChildProcess): Promise<number> {
  const answered = once(server, 'message');
  server.send('cpu');
  const [{ cpuMicroseconds }] = (await answered) as [{ cpuMicroseconds: number }];
  return cpuMicroseconds;
}
