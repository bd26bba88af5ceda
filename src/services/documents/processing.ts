import type { Selectable } from 'kysely';
import type { DocumentFailure, DocumentTable, Queryable } from '../../../db/schema.js';
import { documentListChanges } from '../../derived-data/list-changes.js';
import { writeCounts } from '../../derived-data/write-counts.js';
import { conflict } from '../../errors/errors.js';
import type { FailureCode } from '../../errors/failure-codes.js';
import type { JobQueue } from '../../ingestion/jobs/job-queue.js';
import { emitEvents, toDocumentEvent } from '../../webhook-delivery/events.js';
import { type Actor, authorOf } from '../shared/actor.js';
import { assertAtMost } from '../shared/pagination.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import { auditDocumentChanges } from './audit.js';
import type { Document, DocumentRef, DocumentSelection } from './documents.schema.js';
import type { CancellationOfMany, Reprocessing, ReprocessingOfMany } from './processing.schema.js';
import {
  type DocumentRow,
  isPending,
  lockDocument,
  lockDocuments,
  restartedColumns,
  selectDocument,
  toDocument,
} from './rows.js';
import { clearHttpValidators, readSizes } from './source.js';

export interface DocumentProcessingDependencies {
  writeTransaction: WriteTransaction;
  clock: () => Date;
  jobs: JobQueue;
  maxPageSize: number;
}

const CANCELLED: FailureCode = 'cancelled';

/** Reprocessing and cancelling. Existing chunks stay searchable meanwhile. */
export function createDocumentProcessing({
  writeTransaction,
  clock,
  jobs,
  maxPageSize,
}: DocumentProcessingDependencies) {
  return { reprocess, reprocessMany, cancel, cancelMany };

  /** Legal in every status; running processing restarts. */
  async function reprocess(input: Reprocessing, actor: Actor): Promise<Document> {
    return writeTransaction({ scope: input.scope, actor }, async (tx) => {
      const document = await lockDocument(tx, input);
      if (document.source === 'none') throw conflict(NO_SOURCE, ['documentId']);
      await restart(tx, [document], input, actor);
      return toDocument(await finish(tx, document, 'documents.reprocess', actor), input.scope);
    });
  }

  /** All or none. */
  async function reprocessMany(input: ReprocessingOfMany, actor: Actor): Promise<void> {
    assertAtMost(maxPageSize, input.documentIds.length, 'documentIds');
    await writeTransaction({ scope: input.scope, actor }, async (tx) => {
      const documents = await lockDocuments(tx, input);
      if (documents.length === 0) return;
      const sourceless = documents.find(({ source }) => source === 'none');
      if (sourceless) throw conflict(NO_SOURCE, ['documentIds', input.documentIds.indexOf(sourceless.id)]);
      const rows = await restart(tx, documents, input, actor);
      const changes = documents.flatMap((before) => {
        const after = rows.find(({ id }) => id === before.id);
        return after ? { before, after } : [];
      });
      await auditDocumentChanges(tx, actor, 'documents.reprocessMany', ...changes);
    });
  }

  /**
   * Cancels pending or running processing. Writes of a running worker match no rows any more. Idempotent.
   */
  async function cancel(ref: DocumentRef, actor: Actor): Promise<Document> {
    return writeTransaction({ scope: ref.scope, actor }, async (tx) => {
      const document = await lockDocument(tx, ref);
      if (document.error?.code === CANCELLED) return toDocument(document, ref.scope);
      if (!isPending(document)) throw conflict(NOT_UNDER_WAY, ['documentId']);
      const cancelled = await cancelLocked(tx, document, 'documents.cancel', actor);
      await writeCounts(tx, { lists: documentListChanges({ before: [document], after: [cancelled] }) });
      return toDocument(cancelled, ref.scope);
    });
  }

  /** All or none; documents that are ready or have failed meanwhile stay as they are. */
  async function cancelMany(input: DocumentSelection, actor: Actor): Promise<CancellationOfMany> {
    assertAtMost(maxPageSize, input.documentIds.length, 'documentIds');
    return writeTransaction({ scope: input.scope, actor }, async (tx) => {
      const documents = await lockDocuments(tx, input);
      const underWay = documents.filter(isPending);
      const cancelled: DocumentRow[] = [];
      for (const document of underWay) {
        cancelled.push(await cancelLocked(tx, document, 'documents.cancelMany', actor));
      }
      await writeCounts(tx, { lists: documentListChanges({ before: underWay, after: cancelled }) });
      const notUnderWay = documents.filter((document) => !isPending(document)).map(({ id }) => id);
      return { cancelled: underWay.length, notUnderWay };
    });
  }

  /** The caller counts the change. */
  async function cancelLocked(
    tx: Queryable,
    document: DocumentRow,
    action: string,
    actor: Actor,
  ): Promise<DocumentRow> {
    const { tenantId, id, stage } = document;
    await jobs.remove(tx, tenantId, [id]);
    await tx
      .updateTable('documents')
      .set((eb) => ({
        status: 'failed',
        stage: null,
        newChunks: 0,
        error: JSON.stringify(cancelledAt(stage ?? 'waiting')),
        revision: eb('revision', '+', 1),
        version: eb('version', '+', 1),
        updatedTime: clock(),
        updatedBy: authorOf(actor),
      }))
      .where('tenantId', '=', tenantId)
      .where('id', '=', id)
      .execute();
    const after = await finish(tx, document, action, actor);
    await emitEvents(tx, tenantId, [toDocumentEvent('document.failed', after)]);
    return after;
  }

  /** Restarts processing of locked documents of one tenant. */
  async function restart(
    tx: Queryable,
    documents: DocumentRow[],
    { unconditional, extraction }: Pick<Reprocessing, 'unconditional' | 'extraction'>,
    actor: Actor,
  ): Promise<Selectable<DocumentTable>[]> {
    const ids = documents.map(({ id }) => id);
    const tenantId = (documents[0] as DocumentRow).tenantId;
    const rows = await tx
      .updateTable('documents')
      .set((eb) => ({
        ...restartedColumns(eb),
        ...(extraction && { extraction }),
        version: eb('version', '+', 1),
        updatedTime: clock(),
        updatedBy: authorOf(actor),
      }))
      .where('tenantId', '=', tenantId)
      .where('id', 'in', ids)
      .returningAll()
      .execute();
    const isReadAnew = (document: DocumentRow) =>
      unconditional || (extraction !== undefined && extraction !== document.extraction);
    const readAnew = documents.filter(isReadAnew).map(({ id }) => id);
    if (readAnew.length > 0) await clearHttpValidators(tx, tenantId, readAnew);
    await writeCounts(tx, { lists: documentListChanges({ before: documents, after: rows }) });
    const sizes = await readSizes(tx, tenantId, ids);
    const waiting = ids.map((documentId) => ({ documentId, sizeBytes: sizes.get(documentId) ?? null }));
    await jobs.enqueue(tx, tenantId, waiting);
    return rows;
  }
}

/** Audits the change and returns the current row. */
async function finish(
  tx: Queryable,
  before: DocumentRow,
  action: string,
  actor: Actor,
): Promise<DocumentRow> {
  const after = await selectDocument(tx)
    .where('tenantId', '=', before.tenantId)
    .where('id', '=', before.id)
    .executeTakeFirstOrThrow();
  await auditDocumentChanges(tx, actor, action, { before, after });
  return after;
}

const NO_SOURCE = 'This document has no source to process; give it content, a file or a URL first.';
const NOT_UNDER_WAY = 'This document is not being processed, so there is nothing to cancel.';

const cancelledAt = (stage: DocumentFailure['stage']): DocumentFailure => ({
  code: CANCELLED,
  stage,
  message: 'Processing was cancelled; have the document processed again when you want its chunks.',
  retryable: true,
});
