import type pg from 'pg';
import { type CatalogTable, TABLES_QUERY } from '../../db/catalog.js';
import { isCluster } from '../../db/cluster/cluster.js';
import { migrationNames } from '../../db/migration-record.js';
import { RESTORE_MARKER, UnfinishedRestoreError } from '../../db/restore-marker.js';
import type { Database } from '../../db/schema.js';
import { conflict } from '../errors/errors.js';
import { quote, SET_FORMAT } from './connection.js';
import { connectToWorkers, ONE_CONNECTION_A_WORKER, openOnWorkers, stopWriters } from './nodes-at-once.js';

/** What migrations make themselves. */
const MIGRATION_TABLES = ['kysely_migration', 'kysely_migration_lock'];

/**
 * Tables that are not in a backup: sign-ins, which must not come back to life, token buckets, and what waits for a search
 * index, which is filled anew after a restore.
 */
export const LEFT_OUT = [
  'last_backup',
  'rate_buckets',
  'search_outbox',
  'search_replay',
  'sessions',
  'user_sessions',
];

/** All rows as they were at one moment. */
export interface Snapshot {
  time: Date;
  migrations: string[];
  /** All but those of the migrations, and `LEFT_OUT`. */
  tables: CatalogTable[];
}

/**
 * Begins a transaction that sees one moment, of all nodes where the database is a cluster's.
 *
 * @throws DomainError `conflict` where the database has nothing of Lectern's, or is that of a newer version
 * @throws UnfinishedRestoreError
 */
export async function openSnapshot(client: pg.Client, db: Database): Promise<Snapshot> {
  const before = await readTables(client);
  if (!before.some(({ name }) => name === 'kysely_migration')) {
    throw conflict('The database contains no Lectern data yet. Check DATABASE_URL and DATA_DIR.', []);
  }
  if (before.some(({ name }) => name === RESTORE_MARKER)) throw new UnfinishedRestoreError();
  const isOnNodes = await isCluster((text) => client.query(text) as never);
  if (isOnNodes) {
    await client.query(ONE_CONNECTION_A_WORKER);
    await connectToWorkers(client, before);
  }
  await client.query('begin isolation level repeatable read, read only');
  // In the transaction, so that the workers of a cluster write rows in this format, too.
  await client.query(SET_FORMAT('local'));
  // Before the moment is chosen: a table that a migration rewrites after it would look empty.
  await client.query(`lock table ${before.map(({ name }) => quote(name)).join(', ')} in access share mode`);
  if (isOnNodes) await stopWriters(client, db, before.filter(isBackedUp));
  const { rows } = await client.query<{ name: string; time: Date }>(
    'select name, statement_timestamp() as time from kysely_migration order by name',
  );
  if (isOnNodes) await openOnWorkers(client, before);
  const tables = await readTables(client);
  if (JSON.stringify(tables) !== JSON.stringify(before)) {
    throw conflict('The database was being migrated. Run this again.', []);
  }
  const migrations = rows.map(({ name }) => name);
  assertKnown(migrations);
  return {
    time: rows[0]?.time ?? new Date(),
    migrations,
    tables: tables.filter(isBackedUp),
  };
}

const isBackedUp = ({ name }: CatalogTable) => !MIGRATION_TABLES.includes(name) && !LEFT_OUT.includes(name);

export const closeSnapshot = (client: pg.Client) => client.query('rollback');

export async function readTables(client: pg.Client): Promise<CatalogTable[]> {
  return (await client.query<CatalogTable>(TABLES_QUERY)).rows;
}

/** The tables that hold rows of Lectern, or of others. */
export const readDataTables = async (client: pg.Client): Promise<CatalogTable[]> =>
  (await readTables(client)).filter(({ name }) => !MIGRATION_TABLES.includes(name));

/** Nobody knows what a newer version keeps where. */
function assertKnown(migrations: string[]): void {
  const unknown = migrations.find((name) => !migrationNames().includes(name));
  if (unknown) {
    throw conflict(
      `The database is that of a newer version of Lectern (migration ${unknown}): back it up with that one.`,
      [],
    );
  }
}
