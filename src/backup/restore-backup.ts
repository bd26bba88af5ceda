import type pg from 'pg';
import type { Query } from '../../db/cluster/cluster.js';
import { assertUsableCluster, distributeTables } from '../../db/cluster/distribute.js';
import { applyPending, withMigrationLock } from '../../db/migrate.js';
import { migrationNames } from '../../db/migration-record.js';
import { RESTORE_MARKER } from '../../db/restore-marker.js';
import { invalid } from '../errors/errors.js';
import type { FileStorage } from '../storage/file-storage.js';
import { adjustRows } from './after-load.js';
import { prepareConnection } from './connection.js';
import { loadTables } from './load-tables.js';
import { type BackupManifest, readManifest } from './manifest.js';
import type { OnProgress } from './progress.js';
import { copyErasureRecords, repeatErasures } from './repeat-erasures.js';
import { restoreFiles } from './restore-files.js';
import {
  assertEmpty,
  assertNotNewer,
  assertRestorable,
  assertStorageUnused,
  makeSchema,
} from './restore-target.js';
import { verifyBackup } from './verify-backup.js';

export interface RestoreOptions {
  folder: string;
  /** Of an empty database. */
  url: string;
  storage: Pick<FileStorage, 'read' | 'write' | 'list'>;
  /** Another one, with records of erasures that are to be repeated besides those in `storage`. */
  erasuresFrom?: Pick<FileStorage, 'read' | 'list'> | undefined;
  /** Of this program. */
  version: string;
  /** Whether the storage may have files that are not in the backup. */
  intoUsedStorage: boolean;
  /** Switches all webhooks off, for a copy beside the original. */
  disableWebhooks: boolean;
  onProgress: OnProgress;
}

export interface RestoreReport {
  manifest: BackupManifest;
  /** Applied after the rows were loaded: those that are newer than the backup. */
  appliedMigrations: string[];
  /** Tables that are not Lectern's. */
  skippedTables: string[];
  /** Erasures of users that are later than the backup: the next server repeats them. */
  repeatedErasures: number;
}

/**
 * Restores a backup into an empty database, of a cluster too, and a storage. The rows come last, in one transaction: after an
 * end at any point no server starts on the database, and a restore can begin again.
 *
 * @throws DomainError `invalid` where the backup is damaged or newer, `conflict` where the target is not empty
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreReport> {
  const { folder, url, onProgress } = options;
  return withMigrationLock(url, async (client) => {
    await prepareConnection(client);
    const query: Query = (text) => client.query(text) as never;
    await assertUsableCluster(query);
    const manifest = await checkBeforehand(client, options);
    await makeSchema(client, manifest, options);
    // Before the rows, which then go to their nodes; shards could not have the schema of every earlier version.
    if (manifest.migrations.length === migrationNames().length) await distributeTables(query, () => {});
    await restoreFiles(manifest, options);
    await copyErasureRecords(options);
    await client.query('begin');
    const skippedTables = await loadTables(client, manifest, { folder, onProgress });
    await adjustRows(client, options);
    await client.query(`drop table ${RESTORE_MARKER}`);
    await client.query('commit');
    const appliedMigrations = await applyPending(client, url, options);
    await distributeTables(query, () => {});
    const repeatedErasures = await repeatErasures(client, options.storage);
    // Without statistics the first queries would be planned as for empty tables.
    await client.query('analyze');
    return { manifest, appliedMigrations, skippedTables, repeatedErasures };
  });
}

/** Changes nothing. What takes long comes last. */
async function checkBeforehand(client: pg.Client, options: RestoreOptions): Promise<BackupManifest> {
  const { folder, version, storage, onProgress } = options;
  const manifest = await readManifest(folder);
  assertRestorable(manifest, version);
  await assertEmpty(client);
  await assertNotNewer(client, manifest);
  if (!options.intoUsedStorage) await assertStorageUnused(storage, folder);
  const { damaged } = await verifyBackup(folder, onProgress);
  if (damaged.length > 0) throw invalid(describeDamage(damaged), []);
  return manifest;
}

const describeDamage = (damaged: { file: string; problem: string }[]): string =>
  `The backup is damaged, and nothing was restored:\n${damaged.map(({ file, problem }) => `  ${file}: ${problem}`).join('\n')}`;
