import type { Database } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { readErasureRecord } from '../../storage/erasure-records.js';
import type { FileStorage } from '../../storage/file-storage.js';
import { places } from './places.js';

/**
 * Adds erasures that the storage has a record of and the database does not know, as it was restored from before them. They
 * begin anew.
 *
 * @param keys of their records
 */
export async function importErasures(
  db: Database,
  storage: Pick<FileStorage, 'read'>,
  keys: string[],
): Promise<void> {
  const known = await unscoped(db, 'Records of erasures are compared with those of all tenants.')
    .selectFrom('userErasures')
    .select('fileKey')
    .where('fileKey', 'in', keys)
    .execute();
  for (const fileKey of keys) {
    if (known.some((one) => one.fileKey === fileKey)) continue;
    const record = await readErasureRecord(storage, fileKey);
    if (!record) continue;
    await db
      .insertInto('userErasures')
      .values({ ...record, fileKey, userId: null, place: places[0].name, lastKey: null, createdBy: null })
      .onConflict((existing) => existing.columns(['tenantId', 'id']).doNothing())
      .execute();
  }
}
