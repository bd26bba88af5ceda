import { fileURLToPath } from 'node:url';
import { answersOk, choosePort } from './ports.js';
import { type Supervised, supervise } from './supervised.js';

export const LECTERN = fileURLToPath(new URL('../../../program/lectern.js', import.meta.url));

/** Only this of our environment reaches Lectern: what an operator's shell may have set does not. */
const INHERITED = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ'];

/** What every process of Lectern, commands too, has in its environment. */
export const lecternEnv = (own: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(INHERITED.map((name) => [name, process.env[name]])),
  AUTH_MODE: 'required',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'info,requests=warn',
  FETCH_ALLOW_HOSTS: '127.0.0.1',
  // Counted, and out of reach: a refusal by a limit would be no fault.
  RATE_LIMIT_KEY_REQUESTS: '1000000/60',
  RATE_LIMIT_TENANT_REQUESTS: '1000000/60',
  RATE_LIMIT_FAILED_KEYS: '1000000/60',
  INGEST_CONCURRENCY: '2',
  ...own,
});

export interface Lectern {
  process: Supervised;
  address: string;
}

interface Place {
  name: string;
  role: 'api' | 'worker';
  env: NodeJS.ProcessEnv;
  folder: string;
  logs: string;
  pauseMs: () => number;
}

/** A process of the service. */
export async function prepareLectern({ name, role, env, folder, logs, pauseMs }: Place): Promise<Lectern> {
  const port = await choosePort();
  const address = `http://127.0.0.1:${port}`;
  const process_ = supervise({
    name,
    command: [process.execPath, LECTERN, 'serve', '--role', role],
    env: { ...env, PORT: String(port) },
    folder,
    logs,
    isHealthy: () => answersOk(`${address}/healthz`),
    pauseMs,
  });
  return { process: process_, address };
}
