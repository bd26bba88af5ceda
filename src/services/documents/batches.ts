import type { Queryable } from '../../../db/schema.js';
import { replaceNames } from '../../derived-data/write-names.js';
import type { JobQueue } from '../../ingestion/jobs/job-queue.js';
import { writeDocumentChange } from '../../search/indexing/index-writer.js';
import type { Files } from '../files/files.js';
import { type Actor, authorOf } from '../shared/actor.js';
import { assertAtMost } from '../shared/pagination.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import { auditAndEmitDeleted, auditDocumentChanges } from './audit.js';
import type { DocumentSelection, DocumentsEnabledChange } from './documents.schema.js';
import { removeDocuments } from './remove-documents.js';
import { type DocumentRow, lockDocuments } from './rows.js';

export interface DocumentBatchesDependencies {
  writeTransaction: WriteTransaction;
  clock: () => Date;
  files: Pick<Files, 'release'>;
  jobs: Pick<JobQueue, 'remove'>;
  maxPageSize: number;
}

/** Changes of several documents, each for all of them or none. */
export function createDocumentBatches({
  writeTransaction,
  clock,
  files,
  jobs,
  maxPageSize,
}: DocumentBatchesDependencies) {
  return { setEnabledMany, removeMany };

  /** @returns the ids of those that were not so before */
  async function setEnabledMany(input: DocumentsEnabledChange, actor: Actor): Promise<{ changed: string[] }> {
    assertAtMost(maxPageSize, input.documentIds.length, 'documentIds');
    return writeTransaction({ scope: input.scope, actor }, async (tx) => {
      const documents = await lockDocuments(tx, input);
      const different = documents.filter(({ enabled }) => enabled !== input.enabled);
      await setEnabled(tx, different, input.enabled, actor);
      return { changed: different.map(({ id }) => id) };
    });
  }

  async function setEnabled(
    tx: Queryable,
    documents: DocumentRow[],
    enabled: boolean,
    actor: Actor,
  ): Promise<void> {
    const [first] = documents;
    if (!first) return;
    const { tenantId } = first;
    const documentIds = documents.map(({ id }) => id);
    await tx
      .updateTable('documents')
      .set((eb) => ({
        enabled,
        version: eb('version', '+', 1),
        updatedTime: clock(),
        updatedBy: authorOf(actor),
      }))
      .where('tenantId', '=', tenantId)
      .where('id', 'in', documentIds)
      .execute();
    await replaceNames(tx, { tenantId, documentIds });
    for (const { id: documentId } of documents) await writeDocumentChange(tx, { tenantId, documentId });
    const changes = documents.map((before) => ({ before, after: { ...before, enabled } }));
    await auditDocumentChanges(tx, actor, 'documents.setEnabledMany', ...changes);
  }

  /** Legal in every status, as deleting one is. */
  async function removeMany(input: DocumentSelection, actor: Actor): Promise<{ deleted: number }> {
    assertAtMost(maxPageSize, input.documentIds.length, 'documentIds');
    const { fileKeys, ...result } = await writeTransaction({ scope: input.scope, actor }, async (tx) => {
      const documents = await lockDocuments(tx, input);
      const [first] = documents;
      const ids = documents.map(({ id }) => id);
      if (first) await jobs.remove(tx, first.tenantId, ids);
      const keys = await removeDocuments(tx, documents);
      await auditAndEmitDeleted(tx, actor, 'documents.deleteMany', ...documents);
      return { deleted: documents.length, fileKeys: keys };
    });
    await Promise.all(fileKeys.map((key) => files.release(key)));
    return result;
  }
}
