import { rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { answersOk, choosePort } from './ports.js';
import { type Supervised, supervise } from './supervised.js';

const DOUBLE = fileURLToPath(new URL('./search-double.js', import.meta.url));
const MASTER_KEY = 'the-master-key-of-a-chaos-test';

export interface SearchServer {
  server: Supervised;
  /** What Lectern needs in its environment. */
  env: NodeJS.ProcessEnv;
  /** Kills it, and removes all that it holds before it comes back. */
  killAndEmpty(): boolean;
}

interface Place {
  /** Starts it; the double where left out. */
  command: string | undefined;
  folder: string;
  logs: string;
  pauseMs: () => number;
}

/** The search server, started by a command of the caller's, or its double. */
export async function prepareSearchServer({ command, folder, logs, pauseMs }: Place): Promise<SearchServer> {
  const port = await choosePort();
  const data = path.join(folder, 'search');
  const address = `http://127.0.0.1:${port}`;
  const line = command?.replaceAll('{port}', String(port)).replaceAll('{data}', data);
  let isEmptied = false;
  const server = supervise({
    name: 'search',
    command: line ? ['/bin/sh', '-c', `exec ${line}`] : [process.execPath, DOUBLE, String(port), data],
    env: { ...process.env, MEILI_MASTER_KEY: MASTER_KEY, MEILI_NO_ANALYTICS: 'true' },
    folder: data,
    logs,
    isHealthy: () => answersOk(`${address}/health`),
    pauseMs,
    async prepare() {
      if (!isEmptied) return;
      isEmptied = false;
      await rm(data, { recursive: true, force: true });
    },
  });
  return {
    server,
    env: { MEILI_URL: address, MEILI_ADMIN_KEY: MASTER_KEY },
    killAndEmpty() {
      isEmptied = true;
      const isHit = server.kill();
      if (!isHit) isEmptied = false;
      return isHit;
    },
  };
}
