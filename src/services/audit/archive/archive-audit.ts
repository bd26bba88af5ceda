import path from 'node:path';
import { sql } from 'kysely';
import { makeFolder, PRIVATE } from '../../../../db/folders.js';
import type { Database } from '../../../../db/schema.js';
import { unscoped } from '../../../../db/tenant-isolation/unscoped.js';
import { conflict } from '../../../errors/errors.js';
import { nameFolder } from '../../../local-files/new-folder.js';
import { changePartitions } from '../partitions/change-partitions.js';
import { type AuditPartition, EMPTY_PARTITION, readAuditPartitions } from '../partitions/read-partitions.js';
import {
  type ArchiveManifest,
  readManifest,
  verifyArchive,
  writeCompressed,
  writeManifest,
} from './archive-file.js';
import {
  haveSameContents,
  type PartitionContents,
  readContents,
  readEventLines,
} from './partition-contents.js';

/** A partition that is over. */
export interface ClosedPartition extends AuditPartition {
  to: Date;
  rows: number;
}

export interface ArchiveAuditOptions {
  db: Database;
  partitions: ClosedPartition[];
  folder: string;
  versions: ArchiveManifest['versions'];
  clock: () => Date;
  onProgress?: (progress: { file: string; done: number; total: number }) => void;
}

/** The partitions that ended before a time, oldest first, with what they have. The month that goes on never has. */
export async function findArchivable(
  database: Database,
  { before, now }: { before: Date; now: Date },
): Promise<{ partitions: ClosedPartition[]; next: AuditPartition | undefined }> {
  const db = unscoped(database, 'The audit log of all tenants is archived together.');
  const partitions: ClosedPartition[] = [];
  for (const partition of await readAuditPartitions(db)) {
    const { name, to } = partition;
    if (!to || to > before || to > now) return { partitions, next: partition };
    const { rows } = await readContents(db, name);
    if (rows > 0 || name !== EMPTY_PARTITION) partitions.push({ ...partition, to, rows });
  }
  return { partitions, next: undefined };
}

/**
 * Writes partitions into files, and drops each when its file is on the disk and was read again. Ended at any point it can be
 * begun again: a file that is complete is used.
 *
 * @throws DomainError `conflict` where a file is damaged, or the folder has another archive of the same month
 */
export async function archiveAudit(options: ArchiveAuditOptions): Promise<ArchiveManifest[]> {
  const db = unscoped(options.db, 'The audit log of all tenants is archived together.');
  await makeFolder(options.folder, PRIVATE);
  const archived: ArchiveManifest[] = [];
  for (const partition of options.partitions) {
    const file = fileNameOf(partition);
    const manifest =
      (await readManifest(options.folder, file)) ??
      (await writeArchive(db, partition, file, options).catch((error) => {
        throw nameFolder(error, options.folder);
      }));
    await verifyArchive(options.folder, manifest);
    await dropArchived(db, partition, manifest);
    archived.push(manifest);
  }
  return archived;
}

/** Such as audit-2026-12.ndjson.gz. */
function fileNameOf({ name, to }: ClosedPartition): string {
  const unique = name === EMPTY_PARTITION ? `${name}_${to.toISOString().slice(0, 7)}` : name;
  return `${unique.replace('_events', '').replaceAll('_', '-')}.ndjson.gz`;
}

async function writeArchive(
  db: Database,
  { name, from, to, rows: total }: ClosedPartition,
  file: string,
  { folder, versions, clock, onProgress = () => {} }: ArchiveAuditOptions,
): Promise<ArchiveManifest> {
  const archived = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const contents = await readContents(tx, name);
      let done = 0;
      const lines = async function* () {
        for await (const block of readEventLines(tx, name)) {
          done += block.count;
          onProgress({ file, done, total });
          yield block.lines;
        }
      };
      return { ...contents, ...(await writeCompressed(path.join(folder, file), lines())) };
    });
  const manifest = {
    format: 1 as const,
    partition: name,
    from,
    to,
    file,
    ...archived,
    time: clock(),
    versions,
  };
  await verifyArchive(folder, manifest);
  await writeManifest(folder, manifest);
  return manifest;
}

/** Nobody writes into the partition while its events are compared. */
const dropArchived = (
  db: Database,
  { name }: ClosedPartition,
  archived: PartitionContents & { file: string },
): Promise<void> =>
  changePartitions(db, async (tx) => {
    await sql`lock table ${sql.table(name)} in share mode`.execute(tx);
    if (!haveSameContents(await readContents(tx, name), archived)) {
      throw conflict(
        `${archived.file} has other events than ${name}: some were deleted with their tenant, or the archive is of another database. Nothing was dropped; use another folder, or remove that file and its manifest.`,
        [],
      );
    }
    await sql`select drop_audit_partition(${name})`.execute(tx);
  });
