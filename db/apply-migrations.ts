import { setTimeout as delay } from 'node:timers/promises';
import { Migrator } from 'kysely';
import type pg from 'pg';
import { connectDatabase } from './client.js';
import { migrations } from './migrations/index.js';
import { unscoped } from './tenant-isolation/unscoped.js';

/** While a migration waits for a table, all that come later wait behind it: it gives up soon, and tries again. */
const LOCK_TIMEOUT_MS = 1_000;
const MAX_PAUSE_MS = 5_000;
const MAX_WAIT_MS = 600_000;
/** The lock timeout, and a deadlock with what was running. */
const CONTENDED = new Set(['55P03', '40P01']);

/** Called with a sentence for people. */
export type OnWaiting = (sentence: string) => void;

/**
 * Applies migrations in their order, each in a transaction of its own. The caller holds the lock for it.
 *
 * @throws the error of the first that fails, also where its tables were in use for ten minutes
 */
export async function applyMigrations(url: string, names: string[], onWaiting: OnWaiting): Promise<void> {
  const { db, pool, close } = connectDatabase(url, {
    max: 4,
    settings: { lock_timeout: `${LOCK_TIMEOUT_MS}ms` },
  });
  // What a killed process has left running would hold its locks to its end. Not every platform can look for that.
  pool.on('connect', (client) => {
    client.query(`select set_config('client_connection_check_interval', '1s', false)`).catch(() => {});
  });
  const migrator = new Migrator({
    db: unscoped(db, 'Migrations change the tables of all tenants.'),
    provider: { getMigrations: async () => migrations },
  });
  try {
    for (const name of names) {
      const deadline = Date.now() + MAX_WAIT_MS;
      for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
        const { error } = await migrator.migrateTo(name);
        if (!error) break;
        if (!CONTENDED.has((error as { code?: string }).code ?? '') || Date.now() > deadline) throw error;
        onWaiting(
          `Migration ${name} waits for tables that are in use${await describeOldest(pool)}; trying again.`,
        );
        await delay(pauseMs);
      }
    }
  } finally {
    await close();
  }
}

/** What most likely uses them. */
async function describeOldest(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query(`
    select pid, round(extract(epoch from now() - xact_start)) as seconds from pg_stat_activity
    where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
    order by xact_start limit 1`);
  const [oldest] = rows;
  return oldest
    ? `, perhaps by the transaction of PostgreSQL's process ${oldest.pid}, ${oldest.seconds} s old`
    : '';
}
