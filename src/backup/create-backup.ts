import type pg from 'pg';
import { olderWritesEnded, TRANSACTION_STAYS_OPEN } from '../../db/older-writes.js';
import type { Database } from '../../db/schema.js';
import { conflict } from '../errors/errors.js';
import { fillNewFolder } from '../local-files/new-folder.js';
import { withConnection } from './connection.js';
import { type CopyFilesOptions, copyNewFiles, finishFiles } from './copy-files.js';
import { copyTables, readSequences } from './copy-tables.js';
import { type BackupManifest, writeManifest } from './manifest.js';
import { readPlacements } from './nodes-at-once.js';
import { closeSnapshot, LEFT_OUT, openSnapshot } from './snapshot.js';

/** Each needs to copy only what is new since the one before. */
const MAX_SNAPSHOTS = 20;

export interface CreateBackupOptions extends CopyFilesOptions {
  url: string;
  db: Database;
  /** Of this program. */
  version: string;
}

/**
 * Writes all rows, as they were at one moment, and the files that they name into a folder, beside running servers. The
 * manifest comes last: without one the backup is not complete. After a failure the folder is as it was.
 *
 * @throws DomainError `conflict` where the folder has something in it
 */
export const createBackup = (options: CreateBackupOptions): Promise<BackupManifest> =>
  fillNewFolder(options.folder, ['tables', 'files'], () => backUp(options));

const backUp = (options: CreateBackupOptions): Promise<BackupManifest> =>
  withConnection(options.url, async (client) => {
    // Documents may be deleted while files are copied, and their files with them. A later moment lacks these rows.
    let lacking = new Set<string>();
    for (let attempt = 0; attempt < MAX_SNAPSHOTS; attempt++) {
      const manifest = await backUpMoment(client, lacking, options);
      if ('migrations' in manifest) return manifest;
      lacking = new Set(manifest.missing);
      if (!(await olderWritesEnded(options.db))) throw conflict(TRANSACTION_STAYS_OPEN, []);
    }
    throw conflict('Files keep disappearing from the storage during the copy. Run this again.', []);
  });

/**
 * @param lacking files that the storage lacked before all writes of that time had ended: if rows still name them, it has
 * lost them
 * @returns the files that are missing besides, where there are some
 */
async function backUpMoment(
  client: pg.Client,
  lacking: Set<string>,
  options: CreateBackupOptions,
): Promise<BackupManifest | { missing: string[] }> {
  const { db, folder, version } = options;
  const placements = await readPlacements(db);
  const { time, migrations, tables } = await openSnapshot(client, db);
  const missingFiles = await copyNewFiles(client, tables, options);
  if (missingFiles.some((key) => !lacking.has(key))) {
    await closeSnapshot(client);
    return { missing: missingFiles };
  }
  const copied = await copyTables(client, tables, options);
  const files = await finishFiles(client, tables, folder);
  if ((await readPlacements(db)) !== placements)
    throw conflict('Data moved to another node of the cluster during the copy. Run this again.', []);
  const sequences = await readSequences(client);
  const { rows } = await client.query<{ postgres: string }>(
    `select current_setting('server_version') as postgres`,
  );
  await closeSnapshot(client);
  return writeManifest(folder, {
    time: time.toISOString(),
    versions: { lectern: version, postgres: rows[0]?.postgres ?? '' },
    migrations,
    tables: copied,
    sequences,
    files,
    missingFiles: missingFiles.sort(),
    leftOut: LEFT_OUT,
  });
}
