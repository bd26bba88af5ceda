import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Queryable } from '../../../db/schema.js';
import { writeCounts } from '../../derived-data/write-counts.js';
import { conflict, DomainError, invalid } from '../../errors/errors.js';
import type { FileStorage } from '../../storage/file-storage.js';
import { auditWrites } from '../audit/audit.js';
import { type Actor, isAuthenticated } from '../shared/actor.js';
import { acquireLock } from '../shared/advisory-lock.js';
import type { Quotas } from '../shared/quotas.js';
import { dbForScope, withinTenant } from '../shared/tenant-scope.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import type { UploadedFile, UploadedFileRef } from './files.schema.js';

export const MAX_UNCLAIMED = 10_000;
/** Owner of files uploaded without an API key. */
const NO_TENANT = '';

export interface FilesDependencies {
  db: Database;
  writeTransaction: WriteTransaction;
  storage: FileStorage;
  quotas: Pick<Quotas, 'assertWithinQuota' | 'remainingBytes' | 'throwQuotaExceeded'>;
  clock: () => Date;
  maxUploadBytes: number;
}

export type Files = ReturnType<typeof createFiles>;

/** The uploader of a file. */
interface Uploader {
  actor: Actor;
  /** Tenant of the API key; undefined without key. */
  tenantId: string | undefined;
  /** The file is claimed in the same request, which checks the quota then. */
  isClaimedInRequest?: boolean;
}

/**
 * Uploaded files: stored first, then claimed by creating a document. They belong to the tenant of the key;
 * within the tenant the random id grants access. Unspecified: files uploaded without a key may be claimed
 * once for any tenant, but not with a key.
 */
export function createFiles({
  db,
  writeTransaction,
  storage,
  quotas,
  clock,
  maxUploadBytes,
}: FilesDependencies) {
  return { upload, claim, findUnclaimed, release, discard };

  /**
   * Streams a file into storage. It counts towards the quota.
   *
   * @throws DomainError `too_large` above the configured size, `conflict` above what the tenant may store
   */
  async function upload(source: AsyncIterable<Uint8Array>, sender: Uploader): Promise<UploadedFile> {
    const { actor, tenantId } = sender;
    const { key, sizeBytes, sha256 } = await store(source, sender);
    const fileId = randomUUID();
    try {
      await writeTransaction({ scope: { tenantId }, actor }, async (tx) => {
        const owner = tenantId ?? NO_TENANT;
        await tx
          .insertInto('uploads')
          .values({ id: fileId, tenantId: owner, fileKey: key, sizeBytes, sha256, createdTime: clock() })
          .execute();
        await writeCounts(tx, { usage: [{ tenantId: owner, bytes: sizeBytes }] });
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

  /** Streams a file into storage, up to the remaining quota. */
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

  /** Claims an uploaded file for a document, in the document's transaction. The caller counts whose bytes it is. */
  async function claim(
    tx: Queryable,
    { tenantId, actor }: { tenantId: string; actor: Actor },
    { fileId }: UploadedFileRef,
  ) {
    return tx
      .deleteFrom('uploads')
      .where('tenantId', 'in', ownersFor(tenantId, actor))
      .where('id', '=', fileId)
      .returningAll()
      .executeTakeFirstOrThrow(unknownFile);
  }

  /** Where an uploaded file is that could be claimed, and remains so. */
  async function findUnclaimed(
    { tenantId, actor }: { tenantId: string; actor: Actor },
    { fileId }: UploadedFileRef,
  ): Promise<{ fileKey: string }> {
    return db
      .selectFrom('uploads')
      .select('fileKey')
      .where('tenantId', 'in', ownersFor(tenantId, actor))
      .where('id', '=', fileId)
      .executeTakeFirstOrThrow(unknownFile);
  }

  /** Deletes a file that its document no longer uses. Call after commit. */
  async function release(fileKey: string | null): Promise<void> {
    if (fileKey) await storage.remove(fileKey);
  }

  /** Deletes an unclaimed file. Unknown ids are ignored. */
  async function discard(
    { fileId }: UploadedFileRef,
    { tenantId }: Pick<Uploader, 'tenantId'>,
  ): Promise<void> {
    const row = await dbForScope(db, { tenantId })
      .transaction()
      .execute(async (tx) => {
        const found = await tx
          .deleteFrom('uploads')
          .where(withinTenant({ tenantId }))
          .where('id', '=', fileId)
          .returning(['tenantId', 'fileKey', 'sizeBytes'])
          .executeTakeFirst();
        if (found) await writeCounts(tx, { usage: [{ tenantId: found.tenantId, bytes: -found.sizeBytes }] });
        return found;
      });
    if (row) await storage.remove(row.fileKey);
  }
}

/** Whose files a caller may use. */
const ownersFor = (tenantId: string, actor: Actor): string[] =>
  isAuthenticated(actor) ? [tenantId] : [tenantId, NO_TENANT];

const unknownFile = () =>
  invalid(
    'The file does not exist, or a document already uses it.',
    ['file', 'fileId'],
    'value_error.unknown_file',
  );

/** Serialized by a lock, so that the limit is exact. */
async function assertUnclaimedLimit(tx: Queryable, tenantId: string): Promise<void> {
  await acquireLock(tx, 'uploads', tenantId);
  const { rows } = await sql<{ isFull: boolean }>`
    select exists (select from uploads where tenant_id = ${tenantId} offset ${MAX_UNCLAIMED}) as is_full
  `.execute(tx);
  if (rows[0]?.isFull) throw conflict(TOO_MANY, [], 'quota_exceeded.unclaimed_files');
}

const TOO_MANY = `At most ${MAX_UNCLAIMED} received files may wait for their documents; create those, or discard files that are not needed.`;
