import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const LECTERN = fileURLToPath(new URL('../../src/cli/lectern.js', import.meta.url));
const START_MS = 60_000;
const POLL_MS = 50;

export interface Program {
  address: string;
  /** What a process needs in its environment to work beside it. */
  env: NodeJS.ProcessEnv;
  start(): Promise<void>;
  /** Ends it without any warning. */
  kill(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
}

export interface SearchServer extends Program {
  /** Removes all that it holds, while it does not run. */
  empty(): Promise<void>;
}

/** The search server, started by a command of the caller's. */
export async function prepareSearchServer(command: string, folder: string): Promise<SearchServer> {
  const port = await freePort();
  const data = path.join(folder, 'search');
  const line = command.replaceAll('{port}', String(port)).replaceAll('{data}', data);
  const address = `http://127.0.0.1:${port}`;
  const masterKey = 'the-master-key-of-a-soak-test';
  const program = createProgram({
    command: ['/bin/sh', '-c', `exec ${line}`],
    env: { ...process.env, MEILI_MASTER_KEY: masterKey, MEILI_NO_ANALYTICS: 'true' },
    folder: data,
    log: path.join(folder, 'search.log'),
    health: `${address}/health`,
  });
  return {
    ...program,
    address,
    env: { MEILI_URL: address, MEILI_ADMIN_KEY: masterKey },
    empty: () => rm(data, { recursive: true, force: true }),
  };
}

/** A Lectern server with an empty embedded database. */
export async function prepareLectern(search: NodeJS.ProcessEnv, folder: string): Promise<Program> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const { DATABASE_URL, STORAGE_URL, MEILI_API_KEY, SEARCH_FALLBACK, ...inherited } = process.env;
  const own = {
    HOST: '127.0.0.1',
    AUTH_MODE: 'open',
    PORT: String(port),
    DATA_DIR: path.join(folder, 'data'),
    LOG_LEVEL: 'warn',
  };
  const env = { ...inherited, ...search, ...own };
  const program = createProgram({
    command: [process.execPath, LECTERN, 'serve'],
    env,
    folder,
    log: path.join(folder, 'lectern.log'),
    health: `${address}/healthz`,
  });
  return { ...program, address, env };
}

interface ProgramOptions {
  command: [string, ...string[]];
  env: NodeJS.ProcessEnv;
  /** Made when it is missing; the program runs there. */
  folder: string;
  log: string;
  /** Answers 200 when the program is ready. */
  health: string;
}

function createProgram({ command, env, folder, log, health }: ProgramOptions) {
  let child: ChildProcess | undefined;
  const [file, ...args] = command;

  return {
    async start(): Promise<void> {
      await mkdir(folder, { recursive: true });
      const output = openSync(log, 'a');
      const started = spawn(file, args, { env, cwd: folder, stdio: ['ignore', output, output] });
      child = started;
      const deadline = performance.now() + START_MS;
      while (!(await isHealthy(health))) {
        if (started.exitCode !== null || performance.now() > deadline) {
          throw new Error(`${path.basename(log)}: the program did not start; it says why.`);
        }
        await delay(POLL_MS);
      }
    },
    async kill(): Promise<void> {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child?.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    },
    signal: (signal: NodeJS.Signals): void => void child?.kill(signal),
  };
}

async function isHealthy(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
