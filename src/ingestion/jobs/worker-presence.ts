import pg from 'pg';
import type { Logger } from 'pino';
import { WORKER_PRESENCE } from '../../../db/advisory-locks.js';

/** A worker that has just begun may not hold its lock yet. */
const GRACE = '10 seconds';

export interface Presence {
  /** Says that a worker lives, for as long as this process does. */
  announce(workerId: string): void;
  /** Says that a worker of this process has ended, whatever jobs it may still hold. */
  withdraw(workerId: string): void;
  /** Gives the jobs of workers that died or ended back to the queue. */
  releaseJobsOfTheDead(): Promise<void>;
  end(): Promise<void>;
}

/**
 * Who lives, told by PostgreSQL itself: each worker holds an advisory lock in a session of its own. When the
 * process dies, however it dies, the session ends and the lock is gone.
 */
export function createPresence({
  pool,
  databaseUrl,
  log,
}: {
  pool: pg.Pool;
  databaseUrl: string;
  log: Logger;
}): Presence {
  const mine = new Set<string>();
  const ended = new Set<string>();
  let session: pg.Client | undefined;

  async function holdLocks(): Promise<void> {
    if (session || mine.size === 0) return;
    const client = new pg.Client({ connectionString: databaseUrl });
    session = client;
    const lost = () => {
      if (session === client) session = undefined;
    };
    client.on('error', lost);
    client.on('end', lost);
    try {
      await client.connect();
      for (const id of mine) await lock(client, id);
    } catch (error) {
      lost();
      await client.end().catch(() => {});
      throw error;
    }
  }

  const lock = (client: pg.Client, id: string) =>
    client.query('select pg_advisory_lock_shared($1, hashtext($2))', [WORKER_PRESENCE, id]);

  return {
    announce(workerId) {
      mine.add(workerId);
      const announced = session ? lock(session, workerId) : holdLocks();
      announced.catch((error) => log.debug({ err: error }, 'could not announce the worker'));
    },

    withdraw(workerId) {
      mine.delete(workerId);
      ended.add(workerId);
    },

    async releaseJobsOfTheDead() {
      await holdLocks();
      const ids = [...ended];
      if (ids.length > 0) await pool.query('select graphile_worker.force_unlock_workers($1)', [ids]);
      for (const id of ids) ended.delete(id);
      const { rows } = await pool.query<{ id: string }>(
        `select distinct locked_by as id from graphile_worker.jobs
         where locked_at < now() - interval '${GRACE}' and not locked_by = any($1)`,
        [[...mine]],
      );
      for (const { id } of rows) {
        // Within one statement: only whoever gets the lock, because nobody holds it, may release.
        const { rowCount } = await pool.query(
          `select graphile_worker.force_unlock_workers(array[$2]) from
             (select pg_try_advisory_xact_lock($1, hashtext($2)) as is_dead) as probe where is_dead`,
          [WORKER_PRESENCE, id],
        );
        if (rowCount) log.warn({ workerId: id }, 'gave the jobs of a dead worker back to the queue');
      }
    },

    async end() {
      mine.clear();
      await session?.end();
    },
  };
}
