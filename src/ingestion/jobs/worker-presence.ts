import pg from 'pg';
import type { Logger } from 'pino';
import { WORKER_PRESENCE } from '../../../db/advisory-locks.js';
import { releaseAfterDeath, releaseAfterOutage } from './interruptions.js';

/** Whoever gets the lock of a worker, because nobody holds it, may release its jobs. */
const IS_DEAD = 'pg_try_advisory_xact_lock($2, hashtext($1))';
/** A worker that has just begun, or lost the database for a moment, may not hold its lock now. */
const GRACE_MS = 8_000;

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
  graceMs = GRACE_MS,
}: {
  pool: pg.Pool;
  databaseUrl: string;
  log: Logger;
  /** For how long a worker is not seen before it is taken for dead. */
  graceMs?: number;
}): Presence {
  const mine = new Set<string>();
  const ended = new Set<string>();
  /** Since when workers were not seen, in milliseconds of this process. */
  const missing = new Map<string, number>();
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

  /** Whether a worker has not been seen for so long that it is dead. */
  async function isLongMissing(id: string): Promise<boolean> {
    const { rows } = await pool.query(`select ${IS_DEAD} as is_dead`, [id, WORKER_PRESENCE]);
    if (!rows[0].is_dead) {
      missing.delete(id);
      return false;
    }
    const now = performance.now();
    const since = missing.get(id) ?? now;
    missing.set(id, since);
    return now - since >= graceMs;
  }

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
      if (ids.length > 0) await releaseAfterOutage(pool, ids);
      for (const id of ids) ended.delete(id);
      const { rows } = await pool.query<{ id: string }>(
        `select distinct locked_by as id from graphile_worker.jobs
         where locked_by is not null and not locked_by = any($1)`,
        [[...mine]],
      );
      for (const id of missing.keys()) if (!rows.some((row) => row.id === id)) missing.delete(id);
      for (const { id } of rows) {
        if (!(await isLongMissing(id))) continue;
        const jobs = await releaseAfterDeath(pool, id, IS_DEAD, [WORKER_PRESENCE]);
        if (jobs > 0) log.warn({ workerId: id, jobs }, 'gave the jobs of a dead worker back to the queue');
      }
    },

    async end() {
      mine.clear();
      await session?.end();
    },
  };
}
