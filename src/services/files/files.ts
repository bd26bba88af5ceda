import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Queryable } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { conflict, DomainError, invalid } from '../../errors.js';
import type { FileStorage } from '../../storage/file-storage.js';
import { auditWrites } from '../audit/audit.js';
import type { Actor } from '../shared/actor.js';
import { acquireLock } from '../shared/advisory-lock.js';
import type { Quotas } from '../shared/quotas.js';
import { dbForScope, withinTenant } from '../shared/tenant-scope.js';
import { writeTransaction } from '../shared/write-transaction.js';
import type { UploadedFile, UploadedFileRef } from './files.schema.js';

const UNCLAIMED_HOURS = 24;
const MAX_UNCLAIMED = 10_000;
const SWEEP_BATCH = 500;
/** Where what is received without an API key waits: nobody knows yet for which tenant. */
const NO_TENANT = '';

export interface FilesDependencies {
  db: Database;
  storage: FileStorage;
  quotas: Pick<Quotas, 'assertWithinQuota' | 'remainingBytes' | 'throwQuotaExceeded'>;
  clock: () => Date;
  maxUploadBytes: number;
}

export type Files = ReturnType<typeof createFiles>;

/** Who sends a file. */
interface Uploader {
  actor: Actor;
  /** That of the API key; undefined without one. */
  tenantId: string | undefined;
  /** Whether the quota is compared when the file is claimed, which is in the same request. */
  isClaimedInRequest?: boolean;
}

/**
 * Files on their way into a document: received first, then claimed by the document's creation. What a key sent is its
 * tenant's, and to others as if it did not exist; within the tenant, knowing the random id is the right to use it.
 * Unspecified: what is received without a key may be claimed for any tenant, once, but by no key.
 */
export function createFiles({ db, storage, quotas, clock, maxUploadBytes }: FilesDependencies) {
  return { upload, claim, release, discard, sweep };

  /**
   * Stores a file while it arrives. It counts as stored from then on.
   *
   * @throws DomainError `too_large` above the configured size, `conflict` above what the tenant may store
   */
  async function upload(source: AsyncIterable<Uint8Array>, sender: Uploader): Promise<UploadedFile> {
    const { actor, tenantId } = sender;
    const { key, sizeBytes, sha256 } = await store(source, sender);
    const fileId = randomUUID();
    try {
      await writeTransaction(db, { scope: { tenantId }, actor }, async (tx) => {
        const owner = tenantId ?? NO_TENANT;
        await tx
          .insertInto('uploads')
          .values({ id: fileId, tenantId: owner, fileKey: key, sizeBytes, sha256, createdTime: clock() })
          .execute();
        if (!sender.isClaimedInRequest) {
          await assertUnclaimedLimit(tx, owner);
          await quotas.assertWithinQuota(tx, owner, ['bytes']);
        }
        if (tenantId === undefined) return;
        const after = { sizeBytes, sha256 };
        const subject = { type: 'file' as const, id: fileId };
        await auditWrites(tx, tenantId, actor, [
          { action: 'files.upload', subject, tenantUnitId: null, after },
        ]);
      });
    } catch (error) {
      await storage.remove(key);
      throw error;
    }
    return { fileId, sizeBytes, sha256 };
  }

  /** Writes a file into storage, and no more of it than its sender may store. */
  async function store(source: AsyncIterable<Uint8Array>, { tenantId, isClaimedInRequest }: Uploader) {
    const left = isClaimedInRequest ? maxUploadBytes : await quotas.remainingBytes(db, tenantId ?? NO_TENANT);
    try {
      return await storage.write(source, { maxBytes: Math.min(maxUploadBytes, left) });
    } catch (error) {
      const isTooLarge = error instanceof DomainError && error.code === 'too_large';
      if (isTooLarge && left < maxUploadBytes) quotas.throwQuotaExceeded('bytes');
      throw error;
    }
  }

  /** Takes a received file for a document, in the document's transaction. */
  async function claim(
    tx: Queryable,
    { tenantId, actor }: { tenantId: string; actor: Actor },
    { fileId }: UploadedFileRef,
  ) {
    const owners = actor.keyId === undefined ? [tenantId, NO_TENANT] : [tenantId];
    return tx
      .deleteFrom('uploads')
      .where('tenantId', 'in', owners)
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
  async function discard(
    { fileId }: UploadedFileRef,
    { tenantId }: Pick<Uploader, 'tenantId'>,
  ): Promise<void> {
    const row = await dbForScope(db, { tenantId })
      .deleteFrom('uploads')
      .where(withinTenant({ tenantId }))
      .where('id', '=', fileId)
      .returning('fileKey')
      .executeTakeFirst();
    if (row) await storage.remove(row.fileKey);
  }

  /** Drops the received files that nobody claimed in time, and whatever else in storage nobody owns. */
  async function sweep(): Promise<void> {
    const before = new Date(clock().getTime() - UNCLAIMED_HOURS * 3_600_000);
    const everywhere = unscoped(db, 'What nobody claims goes after a day, whoever sent it.');
    const rows = await everywhere
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
      .unionAll(everywhere.selectFrom('uploads').select('fileKey').where('fileKey', 'in', keys))
      .execute();
    const kept = new Set(owned.map(({ fileKey }) => fileKey));
    for (const key of keys) if (!kept.has(key)) await storage.remove(key);
  }
}

/** One file after the other, so that none goes beyond the limit unseen. */
async function assertUnclaimedLimit(tx: Queryable, tenantId: string): Promise<void> {
  await acquireLock(tx, 'uploads', tenantId);
  const { rows } = await sql<{ isFull: boolean }>`
    select exists (select from uploads where tenant_id = ${tenantId} offset ${MAX_UNCLAIMED}) as is_full
  `.execute(tx);
  if (rows[0]?.isFull) throw conflict(TOO_MANY, [], 'quota_exceeded.unclaimed_files');
}

const TOO_MANY = `At most ${MAX_UNCLAIMED} received files may wait for their documents; create those, or discard files that are not needed.`;
