import { deleteBefore, type Prune } from '../../../db/prune.js';
import type { Database } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { writeCounts } from '../../derived-data/write-counts.js';
import { isErasureRecord } from '../../storage/erasure-records.js';
import type { FileStorage } from '../../storage/file-storage.js';
import { importErasures } from '../users/import-erasures.js';

const UNCLAIMED_HOURS = 24;
/** Each file is a request to the storage. */
const BATCH = 100;
const LISTED_BATCH = 500;

interface SweepFilesDependencies {
  db: Database;
  storage: FileStorage;
  clock: () => Date;
}

/**
 * Deletes expired unclaimed files and orphaned objects in storage, and yields how many. Erasures that are recorded there and
 * unknown to the database, which was restored, begin again.
 */
export async function* sweepFiles(context: SweepFilesDependencies): Prune {
  const { db, storage, clock } = context;
  const before = new Date(clock().getTime() - UNCLAIMED_HOURS * 3_600_000);
  yield* deleteUnclaimed(db, storage, before);
  await storage.removeAbandoned(before);
  let batch: string[] = [];
  for await (const { key, modified } of storage.list()) {
    // Younger ones may belong to a running request.
    if (modified < before || isErasureRecord(key)) batch.push(key);
    if (batch.length < LISTED_BATCH) continue;
    yield await sweepListed(context, batch);
    batch = [];
  }
  if (batch.length > 0) yield await sweepListed(context, batch);
}

async function sweepListed({ db, storage }: SweepFilesDependencies, keys: string[]): Promise<number> {
  const records = keys.filter(isErasureRecord);
  if (records.length > 0) await importErasures(db, storage, records);
  return removeOrphans(
    db,
    storage,
    keys.filter((key) => !isErasureRecord(key)),
  );
}

interface ExpiredFile {
  fileKey: string;
  tenantId: string;
  sizeBytes: number;
}

/** The rows go first: a file without one is an orphan. */
async function* deleteUnclaimed(db: Database, storage: FileStorage, before: Date): Prune {
  const everywhere = unscoped(db, 'Unclaimed files of all tenants expire after a day.');
  for await (const rows of deleteBefore<ExpiredFile>(everywhere, {
    table: 'uploads',
    column: 'created_time',
    before,
    batchSize: BATCH,
    returning: ['file_key', 'tenant_id', 'size_bytes'],
    onDeleted: (tx, deleted) =>
      writeCounts(tx, { usage: deleted.map(({ tenantId, sizeBytes }) => ({ tenantId, bytes: -sizeBytes })) }),
  })) {
    await Promise.all(rows.map(({ fileKey }) => storage.remove(fileKey)));
    yield rows.length;
  }
}

/** Deletes files without upload or document. */
async function removeOrphans(db: Database, storage: FileStorage, keys: string[]): Promise<number> {
  if (keys.length === 0) return 0;
  const everywhere = unscoped(db, 'Checks the owners of files across tenants.');
  const findKept = async (table: 'uploads' | 'documentSources') => {
    const rows = await everywhere.selectFrom(table).select('fileKey').where('fileKey', 'in', keys).execute();
    return rows.map(({ fileKey }) => fileKey);
  };
  // In the order in which a claim moves them: one that is under way must not hide a file.
  const kept = new Set([...(await findKept('uploads')), ...(await findKept('documentSources'))]);
  const orphans = keys.filter((key) => !kept.has(key));
  for (const key of orphans) await storage.remove(key);
  return orphans.length;
}
