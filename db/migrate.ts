import { Migrator } from 'kysely';
import pg from 'pg';
import { FIXED_LOCK_IDS } from './advisory-locks.js';
import { connectDatabase } from './client.js';
import { migrations } from './migrations/index.js';
import { unscoped } from './tenant-isolation/unscoped.js';

/**
 * Brings the database at `url` to the latest schema. Several processes may call it at once; the others wait for the
 * first and then find nothing to do.
 *
 * @returns the names of the migrations applied by this call
 * @throws the first migration error; a failed migration leaves nothing behind
 */
export async function migrateToLatest(url: string): Promise<string[]> {
  const lock = new pg.Client({ connectionString: url });
  await lock.connect();
  const { db, close } = connectDatabase(url, { max: 4 });
  try {
    await lock.query('select pg_advisory_lock($1)', [FIXED_LOCK_IDS.migration]);
    const everywhere = unscoped(db, 'Migrations change the tables of all tenants.');
    const migrator = new Migrator({ db: everywhere, provider: { getMigrations: async () => migrations } });
    const { error, results = [] } = await migrator.migrateToLatest();
    if (error) throw error;
    return results.map((result) => result.migrationName);
  } finally {
    await close();
    await lock.end();
  }
}
