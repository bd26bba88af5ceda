import { randomUUID } from 'node:crypto';
import type { Database, Queryable } from '../../db/schema.js';
import { unscoped } from '../../db/tenant-wall/unscoped.js';
import { invalid } from '../errors.js';
import type { FileStorage } from '../storage/file-storage.js';
import type { Actor } from './actor.js';
import { recordWrites } from './audit.js';
import type { UploadedFile, UploadedFileRef } from './files.schema.js';

const UNCLAIMED_HOURS = 24;
const SWEEP_BATCH = 500;

export interface FilesDependencies {
  db: Database;
  storage: FileStorage;
  clock: () => Date;
  maxUploadBytes: number;
}

export type Files = ReturnType<typeof createFiles>;

/** Who sends a file; of which tenant is known by its key alone, until a document claims the file. */
interface Sender {
  actor: Actor;
  tenantId: string | undefined;
}

/** Files on their way into a document: received first, then claimed by the document's creation. */
export function createFiles({ db, storage, clock, maxUploadBytes }: FilesDependencies) {
  return { receive, claim, release, discard, sweep };

  /**
   * Stores a file while it arrives.
   *
   * @throws DomainError `too_large` above the configured size
   */
  async function receive(
    source: AsyncIterable<Uint8Array>,
    { actor, tenantId }: Sender,
  ): Promise<UploadedFile> {
    const { key, sizeBytes, sha256 } = await storage.write(source, { maxBytes: maxUploadBytes });
    const fileId = randomUUID();
    try {
      await db.transaction().execute(async (tx) => {
        await tx
          .insertInto('uploads')
          .values({ id: fileId, fileKey: key, sizeBytes, sha256, createdTime: clock() })
          .execute();
        if (tenantId === undefined) return;
        const after = { sizeBytes, sha256 };
        const subject = { type: 'file', id: fileId };
        await recordWrites(tx, tenantId, actor, [
          { action: 'files.upload', subject, tenantUnitId: null, after },
        ]);
      });
    } catch (error) {
      await storage.remove(key);
      throw error;
    }
    return { fileId, sizeBytes, sha256 };
  }

  /** Takes a received file for a document, in the document's transaction. */
  async function claim(tx: Queryable, { fileId }: UploadedFileRef) {
    return tx
      .deleteFrom('uploads')
      .where('id', '=', fileId)
      .returningAll()
      .executeTakeFirstOrThrow(() =>
        invalid(
          'No such file; it may have been used already.',
          ['file', 'fileId'],
          'value_error.unknown_file',
        ),
      );
  }

  /** Drops a file that its document no longer uses, after the commit that says so. */
  async function release(fileKey: string | null): Promise<void> {
    if (fileKey) await storage.remove(fileKey);
  }

  /** Drops a received file that no document wants. Unknown ids are no error. */
  async function discard({ fileId }: UploadedFileRef): Promise<void> {
    const row = await db
      .deleteFrom('uploads')
      .where('id', '=', fileId)
      .returning('fileKey')
      .executeTakeFirst();
    if (row) await storage.remove(row.fileKey);
  }

  /** Drops the received files that nobody claimed in time, and whatever else in storage nobody owns. */
  async function sweep(): Promise<void> {
    const before = new Date(clock().getTime() - UNCLAIMED_HOURS * 3_600_000);
    const rows = await db
      .deleteFrom('uploads')
      .where('createdTime', '<', before)
      .returning('fileKey')
      .execute();
    await Promise.all(rows.map((row) => storage.remove(row.fileKey)));
    await storage.removeAbandoned(before);
    let batch: string[] = [];
    for await (const { key, modified } of storage.list()) {
      // A younger one may belong to a request that is under way.
      if (modified < before) batch.push(key);
      if (batch.length < SWEEP_BATCH) continue;
      await removeOrphans(batch);
      batch = [];
    }
    if (batch.length > 0) await removeOrphans(batch);
  }

  /** Drops those of the files that neither an upload nor a document owns. */
  async function removeOrphans(keys: string[]): Promise<void> {
    // One statement, so that a file cannot be missed while a document claims it.
    const everywhere = unscoped(db, 'A file that any document of any tenant owns is kept.');
    const owned = await everywhere
      .selectFrom('documentSources')
      .select('fileKey')
      .where('fileKey', 'in', keys)
      .unionAll(db.selectFrom('uploads').select('fileKey').where('fileKey', 'in', keys))
      .execute();
    const kept = new Set(owned.map(({ fileKey }) => fileKey));
    for (const key of keys) if (!kept.has(key)) await storage.remove(key);
  }
}
