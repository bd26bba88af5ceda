import type pg from 'pg';
import { GuardedClient } from '../../../db/guarded-client.js';
import { CHANNEL } from './job-queue.js';

const TIMEOUT_MS = 4_000;

/** A claim that a crash of the database loses is made again, so claims and leases need not wait for the disk. */
const SETTINGS = `listen ${CHANNEL}; set synchronous_commit = off`;

/**
 * A dedicated connection of a worker, for notifications of new jobs and for claims and leases, which must not wait for the
 * pool. Opened by the first query, and again by the next one after a failure. Its statements serve all tenants.
 */
export function createWorkerSession(databaseUrl: string, onNewJobs: () => void) {
  let current: Promise<pg.Client> | undefined;

  async function open(): Promise<pg.Client> {
    const client = new GuardedClient({
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
