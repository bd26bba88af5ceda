import pg from 'pg';
import { CHANNEL } from './job-queue.js';

/** A server that does not answer in time is taken for gone. */
const TIMEOUT_MS = 4_000;

/*
 * Claims and leases need not reach the disk before they count: after a crash of the database, a job that was claimed
 * waits again.
 */
const SETTINGS = `listen ${CHANNEL}; set synchronous_commit = off`;

/**
 * A connection of a worker's own: it is notified of new jobs, and claims and renews leases however busy the pool is.
 * Opened by the first query, and by the next one after it broke. Statements on it serve all tenants.
 */
export function createWorkerSession(databaseUrl: string, onNewJobs: () => void) {
  let current: Promise<pg.Client> | undefined;

  async function open(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    client.on('error', () => {});
    client.on('notification', onNewJobs);
    await client.connect();
    await client.query(SETTINGS);
    return client;
  }

  return {
    // biome-ignore lint/suspicious/noExplicitAny: rows are what the statement says
    async query(text: string, values: unknown[]): Promise<any[]> {
      current ??= open();
      const session = current;
      try {
        const { rows } = await (await session).query(text, values);
        return rows;
      } catch (error) {
        if (current === session) current = undefined;
        session.then((client) => client.end()).catch(() => {});
        throw error;
      }
    },

    async end(): Promise<void> {
      const client = await current?.catch(() => undefined);
      await client?.end();
    },
  };
}

export type WorkerSession = ReturnType<typeof createWorkerSession>;
