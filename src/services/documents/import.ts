import { v7 as uuid } from 'uuid';
import type { Database, Queryable } from '../../../db/schema.js';
import type { KeyAccess } from '../../auth/permissions.js';
import { describeNew } from '../../derived-data/describe-documents.js';
import { documentListChanges } from '../../derived-data/list-changes.js';
import { writeCounts } from '../../derived-data/write-counts.js';
import { toStoredDatasets } from '../../derived-data/write-datasets.js';
import { conflict } from '../../errors/errors.js';
import type { JobQueue, WaitingDocument } from '../../ingestion/jobs/job-queue.js';
import { type Actor, authorOf } from '../shared/actor.js';
import type { Quotas } from '../shared/quotas.js';
import { tenantColumns } from '../shared/tenant-scope.js';
import { findIdempotentResult, type WriteTransaction } from '../shared/write-transaction.js';
import { auditAndEmitCreated } from './audit.js';
import { assertInKeyDatasets } from './datasets.js';
import type { DocumentDescription } from './documents.schema.js';
import { assertMayChooseId } from './ids.js';
import { importBatches } from './import-batches.js';
import { type DocumentImport, type ImportResult, MAX_URLS } from './processing.schema.js';
import { saveSources, sourceKind } from './source.js';
import { excludeExistingUrls, filterUrls } from './urls.js';

/** Reads a sitemap; throws a DomainError at `sitemap`. */
export type ReadSitemap = (
  url: string,
  options: { tenantId: string; maxUrls: number; signal?: AbortSignal | undefined },
) => Promise<{ urls: string[]; tooLong: string[]; truncated: boolean }>;

export interface DocumentImportDependencies {
  db: Database;
  writeTransaction: WriteTransaction;
  clock: () => Date;
  jobs: Pick<JobQueue, 'enqueue'>;
  readSitemap: ReadSitemap;
  quotas: Pick<Quotas, 'assertWithinQuota' | 'assertRoomForChunks'>;
}

/** Bulk creation of documents. */
export function createDocumentImport({
  db,
  writeTransaction,
  clock,
  jobs,
  readSitemap,
  quotas,
}: DocumentImportDependencies) {
  return { createMany };

  /**
   * Creates all documents in one transaction; the result says why a URL was skipped.
   *
   * @param access access of the API key
   * @param signal aborts reading the sitemap when the client disconnects
   */
  async function createMany(
    input: DocumentImport,
    actor: Actor,
    { access, signal }: { access?: KeyAccess | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<ImportResult> {
    for (const [place, { id }] of (input.documents ?? []).entries()) {
      assertMayChooseId(access, id, ['documents', place, 'id']);
    }
    assertInKeyDatasets(input.scope, input.datasetIds);
    // A retry must not fetch the sitemap again.
    const earlier = await findIdempotentResult<ImportResult>(db, { scope: input.scope, actor });
    if (earlier) return earlier.result;
    const { tenantId } = input.scope;
    const { urls, tooLong, truncated } = input.sitemap
      ? await readSitemap(input.sitemap, { tenantId, maxUrls: MAX_URLS, signal })
      : { urls: input.urls ?? [], tooLong: [], truncated: false };
    const { accepted, skipped } = await filterUrls(urls);
    for (const url of tooLong) skipped.push({ url, reason: 'invalid' });
    return writeTransaction({ scope: input.scope, actor }, async (tx) => {
      const { fresh, registered } = await excludeExistingUrls(tx, input.scope, accepted);
      const documents = [...(input.documents ?? []), ...fresh.map((url) => ({ url }))].map((described) => ({
        documentType: input.documentType,
        customProperties: input.customProperties,
        chunking: input.chunking,
        extraction: input.extraction,
        id: uuid(),
        ...described,
      }));
      await insertAll(tx, input, documents, actor);
      await quotas.assertWithinQuota(tx, input.scope.tenantId, ['documents', 'bytes']);
      return {
        created: documents.map(({ id, url }) => ({ id, ...(url !== undefined && { url }) })),
        skipped: [...skipped, ...registered],
        truncated,
      };
    });
  }

  async function insertAll(
    tx: Queryable,
    { scope, datasetIds }: DocumentImport,
    documents: (DocumentDescription & { id: string })[],
    actor: Actor,
  ): Promise<void> {
    const now = clock();
    const waiting: WaitingDocument[] = [];
    let start = 0;
    for (const batch of importBatches(documents)) {
      const rows = await tx
        .insertInto('documents')
        .values(
          batch.map(({ columns, ...document }) => ({
            ...tenantColumns(scope),
            id: document.id,
            documentType: document.documentType,
            ...columns,
            source: sourceKind(document),
            datasetIds: toStoredDatasets(datasetIds),
            createdTime: now,
            updatedTime: now,
            createdBy: authorOf(actor),
            updatedBy: authorOf(actor),
          })),
        )
        .onConflict((taken) => taken.columns(['tenantId', 'id']).doNothing())
        .returningAll()
        .execute();
      assertInserted(batch, rows, start);
      const sizes = await saveSources(tx, scope, batch);
      const bytes = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
      await describeNew(tx, scope.tenantId, rows);
      await writeCounts(tx, {
        usage: [{ tenantId: scope.tenantId, documents: rows.length, bytes }],
        lists: documentListChanges({ after: rows }),
      });
      await auditAndEmitCreated(
        tx,
        actor,
        'documents.createMany',
        rows.map((row) => ({ ...row, datasetIds })),
      );
      for (const [place, document] of batch.entries()) {
        if (sourceKind(document) === 'none') continue;
        waiting.push({ documentId: document.id, sizeBytes: sizes[place] ?? null });
      }
      start += batch.length;
    }
    if (waiting.length === 0) return;
    await quotas.assertRoomForChunks(tx, scope.tenantId);
    await jobs.enqueue(tx, scope.tenantId, waiting);
  }
}

/** Ids must be unique, also within the call. */
function assertInserted(given: { id: string }[], inserted: { id: string }[], start: number): void {
  const left = new Set(inserted.map(({ id }) => id));
  const place = given.findIndex(({ id }) => !left.delete(id));
  if (place < 0) return;
  throw conflict('A document with this id already exists.', ['documents', start + place, 'id']);
}
