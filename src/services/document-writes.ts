import type { Insertable } from 'kysely';
import { v7 as uuid } from 'uuid';
import type { Database, DocumentTable, Queryable } from '../../db/schema.js';
import { conflict } from '../errors.js';
import type { KeyAccess } from './access.js';
import { type Actor, authorOf } from './actor.js';
import { toStoredChunking } from './chunking.schema.js';
import { createDocumentChange, type DocumentChangeDependencies, givesNothing } from './document-change.js';
import { assertReachable, replaceDatasets, saveDatasets } from './document-datasets.js';
import { assertMayChooseId, findByExternalId, spaceOfExternalId } from './document-ids.js';
import { readContent } from './document-reads.js';
import { type DocumentRow, lockDocument, toColumns, toDocument } from './document-rows.js';
import { type GivenSource, recordedSource, saveSource, sourceKind, typeOfSource } from './document-source.js';
import { tellChanged, tellCreated, tellDeleted } from './document-trail.js';
import type {
  Document,
  DocumentChanges,
  DocumentRemoval,
  DocumentSwitch,
  DocumentUpsert,
  DocumentWithContent,
  NewDocument,
} from './documents.schema.js';
import type { Files } from './files.js';
import { waitForLock } from './lock.js';
import { type Placement, placeOf } from './scope.js';
import { write } from './write.js';

export interface DocumentWritesDependencies extends DocumentChangeDependencies {
  db: Database;
  files: Pick<Files, 'claim' | 'release'>;
}

/** Documents one by one: created, changed, removed. */
export function createDocumentWrites(dependencies: DocumentWritesDependencies) {
  const { db, clock, files, jobs, index, quotas } = dependencies;
  const { change, removeChunks } = createDocumentChange(dependencies);
  return { create, upsert, update, setEnabled, remove };

  /** @throws DomainError `forbidden` when the caller's key may not choose the id */
  async function create(input: NewDocument, actor: Actor, access?: KeyAccess): Promise<DocumentWithContent> {
    assertMayChooseId(access, input.id, ['id']);
    const { scope, id = uuid(), file, ...fields } = input;
    const document = await write(db, { scope, actor }, async (tx) => {
      const described = {
        ...placeOf(scope),
        id,
        ...toColumns(fields),
        documentType: fields.documentType,
        documentName: fields.documentName ?? file?.fileName,
      };
      const row = await insertDocument(tx, described, input, actor);
      await tellCreated(tx, actor, 'documents.create', [row]);
      return toDocument(row, scope);
    });
    return { ...document, documentContent: fields.documentContent || null };
  }

  /** Creates a document by its external id, or changes what is given of the one that has it. */
  async function upsert(input: DocumentUpsert, actor: Actor): Promise<Document & { created: boolean }> {
    const { scope, externalId } = input;
    const { document, created, unused } = await write(db, { scope, actor }, async (tx) => {
      // Concurrent upserts of one external id queue up here, so that exactly one creates.
      await waitForLock(tx, 'external-id', scope.tenantId, scope.tenantUnitId, externalId);
      const existing = await findByExternalId(tx, input);
      if (existing) return { ...(await changeExisting(tx, existing, input, actor)), created: false };
      const id = uuid();
      const described = {
        ...placeOf(scope),
        id,
        externalId,
        externalIdSpace: await spaceOfExternalId(tx, input, id),
        documentType: typeOfSource(sourceKind(input)),
        documentName: input.documentName,
        url: input.url,
        customProperties: input.customProperties && JSON.stringify(input.customProperties),
        chunking: toStoredChunking(input.chunking),
      };
      const row = await insertDocument(tx, described, input, actor);
      await tellCreated(tx, actor, 'documents.upsert', [row]);
      return { document: toDocument(row, scope), unused: null, created: true };
    });
    await files.release(unused);
    return { ...document, created };
  }

  async function changeExisting(tx: Queryable, existing: DocumentRow, input: DocumentUpsert, actor: Actor) {
    if (givesNothing(input) && !input.datasetIds) {
      return { document: toDocument(existing, input.scope), unused: null };
    }
    const { datasetIds: reach }: Placement = input.scope;
    const { row, unused } = await change(tx, existing, input, actor);
    // What the caller does not reach stays as it is.
    const unreached = reach ? existing.datasetIds.filter((id) => !reach.includes(id)) : [];
    const datasetIds = input.datasetIds
      ? [...new Set([...input.datasetIds, ...unreached])].sort()
      : existing.datasetIds;
    if (await replaceDatasets(tx, existing, datasetIds)) {
      const { tenantId, id: documentId } = existing;
      await index.apply(tx, { tenantId, documents: [{ tenantId, documentId }] });
    }
    const after = { ...row, datasetIds };
    await tellChanged(tx, actor, 'documents.upsert', { before: existing, after });
    return { document: toDocument(after, input.scope), unused };
  }

  /** Writes a new document, its source and its datasets, and has it processed. */
  async function insertDocument(
    tx: Queryable,
    described: NewRow,
    given: GivenSource & { scope: Placement; datasetIds?: string[] | undefined },
    actor: Actor,
  ): Promise<DocumentRow> {
    const { datasetIds = [] } = given;
    assertReachable(given.scope, datasetIds);
    const now = clock();
    const row = await tx
      .insertInto('documents')
      .values({
        ...described,
        source: sourceKind(given),
        createdTime: now,
        updatedTime: now,
        createdBy: authorOf(actor),
        updatedBy: authorOf(actor),
      })
      .onConflict((taken) => taken.columns(['tenantId', 'id']).doNothing())
      .returningAll()
      .executeTakeFirstOrThrow(() => conflict('A document with this id exists already.', ['id']));
    await saveSource(tx, row, given, { files, actor });
    await saveDatasets(tx, row, [row.id], datasetIds);
    await quotas.assertKept(tx, row.tenantId, ['documents', 'bytes']);
    if (row.source !== 'none') {
      await quotas.assertRoomForChunks(tx, row.tenantId);
      await jobs.enqueue(tx, { tenantId: row.tenantId, documentId: row.id });
    }
    return { ...row, datasetIds };
  }

  async function update(input: DocumentChanges, actor: Actor): Promise<DocumentWithContent> {
    let content: string | null | undefined;
    const { document, unused } = await write(db, { scope: input.scope, actor }, async (tx) => {
      const existing = await lockDocument(tx, input);
      if (givesNothing(input)) return { document: toDocument(existing, input.scope), unused: null };
      const { row, unused } = await change(tx, existing, input, actor);
      const after = { ...row, datasetIds: existing.datasetIds };
      await tellChanged(tx, actor, 'documents.update', { before: existing, after });
      content = await readContent(tx, input);
      return { document: toDocument(after, input.scope), unused };
    });
    await files.release(unused);
    // Answers are kept for retries without the text: a retry is told what the request brought, or what is there now.
    if (content === undefined) content = input.documentContent ?? (await readContent(db, input));
    return { ...document, documentContent: content || null };
  }

  async function setEnabled(input: DocumentSwitch, actor: Actor): Promise<{ version: number }> {
    return write(db, { scope: input.scope, actor }, async (tx) => {
      const existing = await lockDocument(tx, input);
      const { row } = await change(tx, existing, { enabled: input.enabled }, actor);
      const after = { ...row, datasetIds: existing.datasetIds };
      await tellChanged(tx, actor, 'documents.setEnabled', { before: existing, after });
      return { version: row.version };
    });
  }

  /** Legal in every state; a worker that is busy with the document finds it gone and stops. */
  async function remove(input: DocumentRemoval, actor: Actor): Promise<void> {
    const fileKey = await write(db, { scope: input.scope, actor }, async (tx) => {
      const document = await lockDocument(tx, input);
      const { tenantId, id } = document;
      const source = await recordedSource(tx, document);
      await removeChunks(tx, tenantId, id);
      await tx.deleteFrom('documents').where('tenantId', '=', tenantId).where('id', '=', id).execute();
      await tellDeleted(tx, actor, document);
      return source?.fileKey ?? null;
    });
    await files.release(fileKey);
  }
}

type NewRow = Omit<
  Insertable<DocumentTable>,
  'source' | 'createdTime' | 'updatedTime' | 'createdBy' | 'updatedBy'
>;
