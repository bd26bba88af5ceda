import type pg from 'pg';
import { listErasureRecords, writeErasureRecord } from '../storage/erasure-records.js';
import type { FileStorage } from '../storage/file-storage.js';

/** Takes records of erasures along from another storage: where the restore ends before `repeatErasures`, servers find them. */
export async function copyErasureRecords({
  erasuresFrom,
  storage,
}: {
  erasuresFrom?: Pick<FileStorage, 'read' | 'list'> | undefined;
  storage: Pick<FileStorage, 'write'>;
}): Promise<void> {
  if (!erasuresFrom) return;
  for await (const record of listErasureRecords(erasuresFrom)) await writeErasureRecord(storage, record);
}

/**
 * Adds the erasures that the storage has records of and the restored database does not know. Servers repeat them, and
 * find the users by the hashes.
 *
 * @returns how many there are
 */
export async function repeatErasures(
  client: pg.Client,
  storage: Pick<FileStorage, 'read' | 'list'>,
): Promise<number> {
  let count = 0;
  for await (const { tenantId, id, hashSecret, userHash, createdTime, fileKey } of listErasureRecords(
    storage,
  )) {
    const { rowCount } = await client.query(
      `insert into user_erasures (tenant_id, id, hash_secret, user_hash, file_key, created_time, place)
       values ($1, $2, $3, $4, $5, $6, 'conversations') on conflict (tenant_id, id) do nothing`,
      [tenantId, id, hashSecret, userHash, fileKey, createdTime],
    );
    count += rowCount ?? 0;
  }
  return count;
}
