import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

export interface ServerProcess {
  address: string;
  /** All that was printed so far. */
  printed: { stdout: string; stderr: string };
  stop(): Promise<void>;
}

/** The built server as a process of its own, with nothing in its environment but what is given. */
export async function startServerProcess(env: Record<string, string>): Promise<ServerProcess> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'lectern-server-'));
  await chmod(dataDir, 0o755); // started by root, the database runs under an account that must get in
  const child: ChildProcess = spawn(process.execPath, ['dist/src/main.js'], {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  child.stderr?.on('data', (data) => {
    printed.stderr += data;
  });
  const address = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the server did not start:\n${printed.stderr}`)));
    child.stdout?.on('data', (data) => {
      printed.stdout += data;
      if (printed.stdout.includes('Stop it with')) {
        resolve(/address\s+(\S+)/.exec(printed.stdout)?.[1] ?? '');
      }
    });
  });
  return {
    address,
    printed,
    async stop() {
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGTERM')) {
        await once(child, 'exit');
      }
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
