import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { DomainError } from '../errors/errors.js';
import type { FileStorage } from './file-storage.js';

/*
 * Erasures of users are also recorded in the storage, beside the database: one that is restored from before an erasure
 * learns of it there, and erases the user again. A record has no user id, only a keyed hash.
 */

const MAX_BYTES = 4_096;
/** No random UUID begins like this: its version would be 0. */
const PREFIX = '00000000-0000-0000-';

const erasureRecord = z.object({
  tenantId: z.string().min(1).max(255),
  id: z.guid(),
  hashSecret: z.string().min(1).max(100),
  userHash: z.string().min(1).max(100),
  createdTime: z.iso.datetime().transform((time) => new Date(time)),
});
export type ErasureRecord = z.output<typeof erasureRecord>;

/** Whether a file of the storage is such a record. */
export const isErasureRecord = (key: string): boolean => key.startsWith(PREFIX);

/** Writes it, in place of itself where it is there. @returns the key of the file */
export async function writeErasureRecord(
  storage: Pick<FileStorage, 'write'>,
  record: ErasureRecord,
): Promise<string> {
  // The random half of the id.
  const key = `${PREFIX}${record.id.slice(PREFIX.length)}`;
  await storage.write(Readable.from([Buffer.from(JSON.stringify(record))]), { key, maxBytes: MAX_BYTES });
  return key;
}

/** @returns undefined where the file is gone or holds something else */
export async function readErasureRecord(
  storage: Pick<FileStorage, 'read'>,
  key: string,
): Promise<ErasureRecord | undefined> {
  try {
    const bytes = await buffer(storage.read(key));
    return erasureRecord.safeParse(JSON.parse(bytes.toString())).data;
  } catch (error) {
    const isUnreadable = error instanceof SyntaxError;
    const isGone = error instanceof DomainError && error.code === 'not_found';
    if (isUnreadable || isGone) return undefined;
    throw error;
  }
}

/** All records of a storage, with the keys of their files. */
export async function* listErasureRecords(
  storage: Pick<FileStorage, 'list' | 'read'>,
): AsyncGenerator<ErasureRecord & { fileKey: string }> {
  for await (const { key } of storage.list()) {
    const record = isErasureRecord(key) && (await readErasureRecord(storage, key));
    if (record) yield { ...record, fileKey: key };
  }
}
