import type { Insertable } from 'kysely';
import { v7 as uuid } from 'uuid';
import type { Database, DocumentTable, Queryable } from '../../../db/schema.js';
import type { KeyAccess } from '../../auth/permissions.js';
import { describeNew } from '../../derived-data/describe-documents.js';
import { documentListChanges } from '../../derived-data/list-changes.js';
import { writeCounts } from '../../derived-data/write-counts.js';
import { toStoredDatasets } from '../../derived-data/write-datasets.js';
import { conflict } from '../../errors/errors.js';
import type { JobQueue } from '../../ingestion/jobs/job-queue.js';
import type { Files } from '../files/files.js';
import { type Actor, authorOf } from '../shared/actor.js';
import { acquireLock } from '../shared/advisory-lock.js';
import { type TenantUnitRef, tenantColumns } from '../shared/tenant-scope.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import { auditAndEmitCreated, auditAndEmitDeleted, auditDocumentChanges } from './audit.js';
import { createDocumentChange, type DocumentChangeDependencies, isEmptyChange } from './change.js';
import { toStoredChunking } from './chunking.schema.js';
import { assertInKeyDatasets, assertInNoOtherDataset } from './datasets.js';
import type {
  Document,
  DocumentChanges,
  DocumentEnabledChange,
  DocumentRemoval,
  DocumentUpsert,
  DocumentWithContent,
  NewDocument,
} from './documents.schema.js';
import { assertMayChooseId, externalIdNamespace, findByExternalId } from './ids.js';
import { readContent } from './reads.js';
import { removeDocuments } from './remove-documents.js';
import { type DocumentRow, lockDocument, toDocument, toDocumentColumns } from './rows.js';
import { defaultDocumentType, type SourceInput, saveSource, sourceKind } from './source.js';

export interface DocumentWritesDependencies extends DocumentChangeDependencies {
  db: Database;
  writeTransaction: WriteTransaction;
  files: Pick<Files, 'claim' | 'release'>;
  jobs: Pick<JobQueue, 'enqueue' | 'remove'>;
}

/** Creates, changes and deletes single documents. */
export function createDocumentWrites(dependencies: DocumentWritesDependencies) {
  const { db, writeTransaction, clock, files, jobs, quotas } = dependencies;
  const { change } = createDocumentChange(dependencies);
  return { create, upsert, update, setEnabled, remove };

  /** @throws DomainError `forbidden` if the key may not choose ids */
  async function create(input: NewDocument, actor: Actor, access?: KeyAccess): Promise<DocumentWithContent> {
    assertMayChooseId(access, input.id, ['id']);
    const { scope, id = uuid(), file, ...fields } = input;
    const document = await writeTransaction({ scope, actor }, async (tx) => {
      const described = {
        ...tenantColumns(scope),
        id,
        ...toDocumentColumns(fields),
        documentType: fields.documentType,
        documentName: fields.documentName ?? file?.fileName,
      };
      const row = await insertDocument(tx, described, input, actor);
      await auditAndEmitCreated(tx, actor, 'documents.create', [row]);
      return toDocument(row, scope);
    });
    return { ...document, documentContent: fields.documentContent || null };
  }

  /** Creates a document by external id, or updates the given fields. */
  async function upsert(input: DocumentUpsert, actor: Actor): Promise<Document & { created: boolean }> {
    const { scope, externalId } = input;
    const { document, created, unused } = await writeTransaction({ scope, actor }, async (tx) => {
      // Serializes concurrent upserts of one external id.
      await acquireLock(tx, 'external-id', scope.tenantId, scope.tenantUnitId, externalId);
      const existing = await findByExternalId(tx, input);
      const found = { tenantId: scope.tenantId, documentIds: existing ? [existing.id] : [] };
      await assertInNoOtherDataset(tx, scope, found, () => ['externalId']);
      if (existing) return { ...(await changeExisting(tx, existing, input, actor)), created: false };
      const id = uuid();
      const described = {
        ...tenantColumns(scope),
        id,
        externalId,
        externalIdSpace: await externalIdNamespace(tx, input, id),
        documentType: defaultDocumentType(sourceKind(input)),
        documentName: input.documentName,
        url: input.url,
        customProperties: input.customProperties && JSON.stringify(input.customProperties),
        chunking: toStoredChunking(input.chunking),
        extraction: input.extraction ?? 'auto',
      };
      const row = await insertDocument(tx, described, input, actor);
      await auditAndEmitCreated(tx, actor, 'documents.upsert', [row]);
      return { document: toDocument(row, scope), unused: null, created: true };
    });
    await files.release(unused);
    return { ...document, created };
  }

  async function changeExisting(tx: Queryable, existing: DocumentRow, input: DocumentUpsert, actor: Actor) {
    if (isEmptyChange(input)) return { document: toDocument(existing, input.scope), unused: null };
    const { after, unused } = await changeWithDatasets(tx, existing, input, actor);
    await auditDocumentChanges(tx, actor, 'documents.upsert', { before: existing, after });
    return { document: toDocument(after, input.scope), unused };
  }

  async function changeWithDatasets(
    tx: Queryable,
    existing: DocumentRow,
    input: DocumentUpsert | DocumentChanges,
    actor: Actor,
  ) {
    // Otherwise the key would no longer see what it has changed.
    if (input.datasetIds) assertInKeyDatasets(input.scope, input.datasetIds);
    const { row, unused } = await change(tx, existing, input, actor);
    return { after: { ...row, datasetIds: input.datasetIds ?? row.datasetIds }, unused };
  }

  /** Inserts a document with source and datasets, and enqueues processing. */
  async function insertDocument(
    tx: Queryable,
    described: NewDocumentRow,
    given: SourceInput & { scope: TenantUnitRef; datasetIds?: string[] | undefined },
    actor: Actor,
  ): Promise<DocumentRow> {
    const { datasetIds = [] } = given;
    assertInKeyDatasets(given.scope, datasetIds);
    const now = clock();
    const row = await tx
      .insertInto('documents')
      .values({
        ...described,
        source: sourceKind(given),
        datasetIds: toStoredDatasets(datasetIds),
        createdTime: now,
        updatedTime: now,
        createdBy: authorOf(actor),
        updatedBy: authorOf(actor),
      })
      .onConflict((taken) => taken.columns(['tenantId', 'id']).doNothing())
      .returningAll()
      .executeTakeFirstOrThrow(() => conflict('A document with this id already exists.', ['id']));
    const { sizeBytes, usage } = await saveSource(tx, row, given, { files, actor });
    await describeNew(tx, row.tenantId, [row]);
    await writeCounts(tx, {
      usage: [{ tenantId: row.tenantId, documents: 1 }, ...usage],
      lists: documentListChanges({ after: [row] }),
    });
    await quotas.assertWithinQuota(tx, row.tenantId, ['documents', 'bytes']);
    if (row.source !== 'none') {
      await quotas.assertRoomForChunks(tx, row.tenantId);
      await jobs.enqueue(tx, row.tenantId, [{ documentId: row.id, sizeBytes }]);
    }
    return { ...row, datasetIds };
  }

  async function update(input: DocumentChanges, actor: Actor): Promise<DocumentWithContent> {
    let content: string | null | undefined;
    const { document, unused } = await writeTransaction({ scope: input.scope, actor }, async (tx) => {
      const existing = await lockDocument(tx, input);
      if (isEmptyChange(input)) return { document: toDocument(existing, input.scope), unused: null };
      const { after, unused } = await changeWithDatasets(tx, existing, input, actor);
      await auditDocumentChanges(tx, actor, 'documents.update', { before: existing, after });
      content = await readContent(tx, input);
      return { document: toDocument(after, input.scope), unused };
    });
    await files.release(unused);
    // Stored results have no text: a retry returns the text of the request, or the current one.
    if (content === undefined) content = input.documentContent ?? (await readContent(db, input));
    return { ...document, documentContent: content || null };
  }

  async function setEnabled(input: DocumentEnabledChange, actor: Actor): Promise<{ version: number }> {
    return writeTransaction({ scope: input.scope, actor }, async (tx) => {
      const existing = await lockDocument(tx, input);
      const { row: after } = await change(tx, existing, { enabled: input.enabled }, actor);
      await auditDocumentChanges(tx, actor, 'documents.setEnabled', { before: existing, after });
      return { version: after.version };
    });
  }

  /** Legal in every status; a running worker finds the document gone and stops. */
  async function remove(input: DocumentRemoval, actor: Actor): Promise<void> {
    const fileKey = await writeTransaction({ scope: input.scope, actor }, async (tx) => {
      const document = await lockDocument(tx, input);
      await jobs.remove(tx, document.tenantId, [document.id]);
      const [fileKey] = await removeDocuments(tx, [document]);
      await auditAndEmitDeleted(tx, actor, 'documents.delete', document);
      return fileKey ?? null;
    });
    await files.release(fileKey);
  }
}

type NewDocumentRow = Omit<
  Insertable<DocumentTable>,
  'source' | 'createdTime' | 'updatedTime' | 'createdBy' | 'updatedBy'
>;
