import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('../../src/main.js', import.meta.url));

/** Starts a server that asks for keys, on a database that is there, and lets one address fail as often as it likes. */
export async function startServer(
  databaseUrl: string,
  dataDir: string,
): Promise<{ address: string; stop(): Promise<void> }> {
  const server = spawn(process.execPath, [SERVER], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      AUTH_MODE: 'required',
      RATE_LIMIT_FAILED_KEYS: 'off',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const stop = async () => {
    server.kill('SIGTERM');
    await ended;
  };
  const address = await new Promise<string | undefined>((resolve) => {
    createInterface({ input: server.stdout }).on('line', (line) => {
      const found = /address\s+(http:\/\/\S+)$/.exec(line);
      if (found) resolve(found[1]);
    });
    ended.then(() => resolve(undefined));
  });
  if (address === undefined) throw new Error('The server did not start; what it said stands above.');
  return { address, stop };
}
