import type pg from 'pg';
import { applyPending } from '../../db/migrate.js';
import { migrationNames } from '../../db/migration-record.js';
import { RESTORE_MARKER } from '../../db/restore-marker.js';
import { conflict, invalid } from '../errors/errors.js';
import { isErasureRecord } from '../storage/erasure-records.js';
import type { FileStorage } from '../storage/file-storage.js';
import { quote } from './connection.js';
import { readFileList } from './file-list.js';
import type { BackupManifest } from './manifest.js';
import { readDataTables, readTables } from './snapshot.js';

/**
 * @param version of this program
 * @throws DomainError `invalid` where the backup has migrations that this program does not know
 */
export function assertRestorable({ migrations, versions }: BackupManifest, version: string): void {
  const known = migrationNames();
  const unknown = migrations.find((name, i) => known[i] !== name);
  if (unknown === undefined) return;
  throw invalid(
    `The backup was made by version ${versions.lectern} and has the migration ${unknown}, which this version (${version}) does not know: restore it with that one.`,
    [],
  );
}

/**
 * Makes the schema that the backup had in an empty database, and marks it as incomplete, so that no server starts on it
 * until a restore has ended.
 */
export async function makeSchema(
  client: pg.Client,
  { migrations }: BackupManifest,
  { url, version }: { url: string; version: string },
): Promise<void> {
  await client.query(
    `create table if not exists ${RESTORE_MARKER} (started_time timestamptz not null default now())`,
  );
  await applyPending(client, url, { version }, (name) => migrations.includes(name));
}

/** @throws DomainError `conflict` where a table has rows */
export async function assertEmpty(client: pg.Client): Promise<void> {
  const filled: string[] = [];
  for (const { name } of await readDataTables(client)) {
    if (name === RESTORE_MARKER) continue;
    const { rowCount } = await client.query(`select from ${quote(name)} limit 1`);
    if (rowCount) filled.push(name);
  }
  if (filled.length === 0) return;
  throw conflict(
    `The database holds data already (${filled.join(', ')}), and nothing is overwritten: restore into an empty one. Set DATABASE_URL to a new database, or DATA_DIR to a new folder.`,
    [],
  );
}

/**
 * Migrations are never undone.
 *
 * @throws DomainError `conflict` where the database has others than the backup
 */
export async function assertNotNewer(client: pg.Client, { migrations }: BackupManifest): Promise<void> {
  if (!(await readTables(client)).some(({ name }) => name === 'kysely_migration')) return;
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name');
  const further = rows.find(({ name }) => !migrations.includes(name));
  if (!further) return;
  throw conflict(
    `The database is empty, but has the migration ${further.name}, which the backup lacks: restore into a new database, which is migrated afterwards.`,
    [],
  );
}

/**
 * A server removes files that no row names: those of a storage that another database uses must not be near it.
 *
 * @throws DomainError `conflict` where the storage has files that the backup has not
 */
export async function assertStorageUnused(storage: Pick<FileStorage, 'list'>, folder: string): Promise<void> {
  const found: string[] = [];
  // Records of erasures are to be there: this database learns from them.
  for await (const { key } of storage.list()) if (!isErasureRecord(key)) found.push(key);
  if (found.length === 0) return;
  const strange = new Set(found);
  for await (const { key } of readFileList(folder)) strange.delete(key);
  if (strange.size === 0) return;
  throw conflict(
    `The storage has files that are not in the backup (${strange.size}), and the server would remove them after a day. If another database uses them, set STORAGE_URL to another place; if they are left from the database that was lost, say --into-used-storage.`,
    [],
  );
}
