import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { unavailable } from '../../errors/errors.js';

const PROGRAM = fileURLToPath(new URL('../../../program/lectern.js', import.meta.url));

export interface Server {
  address: string;
  process: ChildProcess;
  /** Ends it and waits until it has ended. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** All of its environment but the port, which it chooses itself. */
  env: NodeJS.ProcessEnv;
  /** Modules that are loaded into its process first. */
  preload?: string[];
  /** Another file than the built program. */
  program?: string | undefined;
}

/** Starts the built server as a process of its own. What it logs goes to standard error. */
export async function startServer({ env, preload = [], program = PROGRAM }: ServerOptions): Promise<Server> {
  const server = spawn(
    process.execPath,
    [...preload.flatMap((file) => ['--import', file]), program, 'serve'],
    {
      env: { HOST: '127.0.0.1', LOG_LEVEL: 'warn', ...env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  );
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const address = await new Promise<string | undefined>((resolve) => {
    createInterface({ input: server.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      if (line.includes('"msg":"Lectern is ready"')) resolve(JSON.parse(line).address);
    });
    ended.then(() => resolve(undefined));
  });
  if (address === undefined) throw unavailable('The server did not start; its messages are above.');
  const stop = async () => {
    server.kill('SIGTERM');
    await ended;
  };
  return { address, process: server, stop };
}
