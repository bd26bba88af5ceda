import { type Server, startServer } from '../../../src/cli/eval/server-process.js';
import { makeDataDir } from '../../../src/cli/shared/data-dir.js';

/** The environment of a server in open mode with an embedded database, which searches in PostgreSQL. */
export const embeddedEnvironment = (dataDir: string): NodeJS.ProcessEnv => ({
  ...process.env,
  AUTH_MODE: 'open',
  DATA_DIR: dataDir,
  DATABASE_URL: '',
  MEILI_URL: '',
});

/** Runs `work` with such a server, whose database is empty. */
export async function withEmbeddedServer<T>(work: (server: Server) => Promise<T>): Promise<T> {
  const { dataDir, remove } = await makeDataDir('bench');
  try {
    const server = await startServer({ env: embeddedEnvironment(dataDir) });
    return await work(server).finally(server.stop);
  } finally {
    await remove();
  }
}
