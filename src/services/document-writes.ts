import { type Insertable, type Selectable, sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import type { Database, DocumentTable, Queryable } from '../../db/schema.js';
import { conflict } from '../errors.js';
import type { Actor } from './actor.js';
import { toStoredChunking } from './chunking.schema.js';
import { createDocumentChange, type DocumentChangeDependencies } from './document-change.js';
import { replaceDatasets, saveDatasets } from './document-datasets.js';
import { readDocument } from './document-reads.js';
import { lockDocument, missingDocument, selectDocument, toColumns, toDocument } from './document-rows.js';
import { type GivenSource, recordedSource, saveSource, sourceKind } from './document-source.js';
import type {
  Document,
  DocumentChanges,
  DocumentRef,
  DocumentSwitch,
  DocumentUpsert,
  DocumentWithContent,
  NewDocument,
} from './documents.schema.js';
import type { Files } from './files.js';
import { inScope } from './scope.js';

export interface DocumentWritesDependencies extends DocumentChangeDependencies {
  db: Database;
  files: Pick<Files, 'claim' | 'release'>;
}

/** Documents one by one: created, changed, removed. */
export function createDocumentWrites(dependencies: DocumentWritesDependencies) {
  const { db, clock, files, jobs, index } = dependencies;
  const { change, removeChunks } = createDocumentChange(dependencies);
  return { create, upsert, update, setEnabled, remove };

  async function create(input: NewDocument, actor: Actor): Promise<DocumentWithContent> {
    const { scope, id = uuid(), datasetIds, file, ...fields } = input;
    return db.transaction().execute(async (tx) => {
      const described = {
        ...scope,
        id,
        ...toColumns(fields),
        documentType: fields.documentType,
        documentName: fields.documentName ?? file?.fileName,
      };
      const row = await insert(tx, described, input, actor);
      return { ...toDocument({ ...row, datasetIds }), documentContent: fields.documentContent || null };
    });
  }

  /** Creates a document by its external id, or changes what is given of the one that has it. */
  async function upsert(input: DocumentUpsert, actor: Actor): Promise<Document & { created: boolean }> {
    const { scope, externalId, datasetIds } = input;
    const { row, created, unused, kept } = await db.transaction().execute(async (tx) => {
      // Concurrent upserts of one external id queue up here, so that exactly one creates.
      const lock = JSON.stringify([scope.tenantId, scope.tenantUnitId, externalId]);
      await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
      const existing = await selectDocument(tx)
        .where(inScope(scope))
        .where('externalId', '=', externalId)
        .forUpdate()
        .executeTakeFirst();
      if (existing) {
        const changed = await change(tx, existing, input, actor);
        if (datasetIds && (await replaceDatasets(tx, existing, datasetIds))) {
          await index.apply(tx, { documents: [{ tenantId: existing.tenantId, documentId: existing.id }] });
        }
        return { ...changed, created: false, kept: existing.datasetIds };
      }
      const described = {
        ...scope,
        id: uuid(),
        externalId,
        documentType: sourceKind(input) === 'url' ? 'UnstructuredWebpage' : 'UnstructuredFile',
        documentName: input.documentName,
        url: input.url,
        customProperties: input.customProperties && JSON.stringify(input.customProperties),
        chunking: toStoredChunking(input.chunking),
      };
      const inserted = await insert(tx, described, input, actor);
      return { row: inserted, unused: null, created: true, kept: [] };
    });
    await files.release(unused);
    return { ...toDocument({ ...row, datasetIds: datasetIds ?? kept }), created };
  }

  /** Writes a new document, its source and its datasets, and has it processed. */
  async function insert(
    tx: Queryable,
    described: NewRow,
    given: GivenSource & { datasetIds?: string[] | undefined },
    actor: Actor,
  ): Promise<Selectable<DocumentTable>> {
    const now = clock();
    const row = await tx
      .insertInto('documents')
      .values({
        ...described,
        source: sourceKind(given),
        createdTime: now,
        updatedTime: now,
        createdBy: actor.userId,
        updatedBy: actor.userId,
      })
      .onConflict((taken) => taken.columns(['tenantId', 'id']).doNothing())
      .returningAll()
      .executeTakeFirstOrThrow(() => conflict('A document with this id exists already.', ['id']));
    await saveSource(tx, row, given, files);
    await saveDatasets(tx, row, [row.id], given.datasetIds ?? []);
    if (row.source !== 'none') await jobs.enqueue(tx, { tenantId: row.tenantId, documentId: row.id });
    return row;
  }

  async function update(input: DocumentChanges, actor: Actor): Promise<DocumentWithContent> {
    const { unused, changed } = await db.transaction().execute(async (tx) => {
      const existing = await lockDocument(tx, input);
      const { unused } = await change(tx, existing, input, actor);
      // Read in here: after the commit a worker may have begun already, and what changed answers as `created`.
      return { unused, changed: await readDocument(tx, input) };
    });
    await files.release(unused);
    return changed;
  }

  async function setEnabled({ scope, documentId, enabled }: DocumentSwitch, actor: Actor): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const documents = await tx
        .updateTable('documents')
        .set({ enabled, updatedTime: clock(), updatedBy: actor.userId ?? null })
        .where('id', '=', documentId)
        .where(inScope(scope))
        .returning(['tenantId', 'id as documentId'])
        .execute();
      if (documents.length === 0) throw missingDocument();
      await index.apply(tx, { documents });
    });
  }

  /** Legal in every state; a worker that is busy with the document finds it gone and stops. */
  async function remove(ref: DocumentRef): Promise<void> {
    const fileKey = await db.transaction().execute(async (tx) => {
      const document = await lockDocument(tx, ref);
      const { tenantId, id } = document;
      const source = await recordedSource(tx, document);
      await removeChunks(tx, tenantId, id);
      await tx.deleteFrom('documents').where('tenantId', '=', tenantId).where('id', '=', id).execute();
      return source?.fileKey ?? null;
    });
    await files.release(fileKey);
  }
}

type NewRow = Omit<
  Insertable<DocumentTable>,
  'source' | 'createdTime' | 'updatedTime' | 'createdBy' | 'updatedBy'
>;
