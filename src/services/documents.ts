import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import type { Database, DocumentTable, Queryable } from '../../db/schema.js';
import { conflict, notFound } from '../errors.js';
import type { JobQueue } from '../ingestion/job-queue.js';
import type { ChunkIndex } from '../search/chunk-index.js';
import type { Actor } from './actor.js';
import { replaceDatasets, saveDatasets } from './document-datasets.js';
import { type DocumentRow, inlineContent, selectDocument, toDocument } from './document-rows.js';
import {
  type GivenSource,
  hashContent,
  recordedSource,
  saveSource,
  sourceAfter,
  sourceKind,
} from './document-source.js';
import type {
  Document,
  DocumentChanges,
  DocumentFilter,
  DocumentRef,
  DocumentSelection,
  DocumentSwitch,
  DocumentUpsert,
  DocumentWithContent,
  NewDocument,
} from './documents.schema.js';
import type { Files } from './files.js';
import { assertWithin, offsetOf, type Page, toPage } from './paging.js';
import { inScope } from './scope.js';

export interface DocumentsDependencies {
  db: Database;
  clock: () => Date;
  files: Pick<Files, 'claim' | 'release'>;
  jobs: JobQueue;
  index: Pick<ChunkIndex, 'apply'>;
  maxPageSize: number;
}

export type Documents = ReturnType<typeof createDocuments>;

/** Knowledge documents. Every function answers only for what lies in the given scope. */
export function createDocuments({ db, clock, files, jobs, index, maxPageSize }: DocumentsDependencies) {
  return { create, upsert, get, getMany, list, update, setEnabled, remove };

  async function create(input: NewDocument, actor: Actor): Promise<DocumentWithContent> {
    const { scope, id = uuid(), datasetIds, file, ...fields } = input;
    return db.transaction().execute(async (tx) => {
      const described = {
        ...scope,
        id,
        documentType: fields.documentType,
        documentSubType: fields.documentSubType,
        documentName: fields.documentName ?? file?.fileName,
        storageType: fields.storageType ?? (fields.storageBucket ? 's3' : null),
        storageBucket: fields.storageBucket,
        storagePath: fields.storagePath,
        url: fields.url,
        title: fields.title,
        category: fields.category,
        customProperties: fields.customProperties && JSON.stringify(fields.customProperties),
        enabled: fields.enabled ?? true,
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
        if (datasetIds) await replaceDatasets(tx, existing, datasetIds);
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
    described: DescribedDocument,
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
    await saveDatasets(tx, row, given.datasetIds ?? []);
    if (row.source !== 'none') await enqueue(tx, row);
    return row;
  }

  function get(ref: DocumentRef): Promise<DocumentWithContent> {
    return read(db, ref);
  }

  async function read(from: Queryable, { scope, documentId }: DocumentRef): Promise<DocumentWithContent> {
    const row = await selectDocument(from)
      .where(inScope(scope))
      .where('id', '=', documentId)
      .select(inlineContent)
      .executeTakeFirstOrThrow(missing);
    return { ...toDocument(row), documentContent: row.documentContent };
  }

  /** A filter rather than a batch: in the order asked for, without those that do not exist. */
  async function getMany({ scope, documentIds }: DocumentSelection): Promise<Document[]> {
    assertWithin(maxPageSize, documentIds.length, 'documentIds');
    const wanted = [...new Set(documentIds)];
    if (wanted.length === 0) return [];
    const rows = await selectDocument(db).where(inScope(scope)).where('id', 'in', wanted).execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    return wanted.flatMap((id) => byId.get(id) ?? []).map(toDocument);
  }

  /** Newest first. */
  async function list(filter: DocumentFilter): Promise<Page<Document>> {
    assertWithin(maxPageSize, filter.pageSize, 'pageSize');
    const matching = db
      .selectFrom('documents')
      .where(inScope(filter.scope))
      // Unlike `in ()`, an empty array is valid SQL: it matches nothing.
      .$if(filter.documentTypes !== undefined, (q) =>
        q.where(sql<SqlBool>`document_type = any(${filter.documentTypes})`),
      )
      .$if(filter.datasetIds !== undefined, (q) =>
        q.where((eb) =>
          eb.exists(
            eb
              .selectFrom('documentDatasets as s')
              .whereRef('s.tenantId', '=', 'documents.tenantId')
              .whereRef('s.documentId', '=', 'documents.id')
              .where(sql<SqlBool>`s.dataset_id = any(${filter.datasetIds})`)
              .select('s.datasetId'),
          ),
        ),
      );
    const [{ count }, rows] = await Promise.all([
      matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
      // The page's keys are found in an index alone; only then are whole rows read.
      selectDocument(db)
        .innerJoin(
          matching
            .select(['tenantId', 'id'])
            .orderBy('createdTime', 'desc')
            .orderBy('id', 'desc')
            .limit(filter.pageSize)
            .offset(offsetOf(filter))
            .as('page'),
          (join) =>
            join.onRef('page.tenantId', '=', 'documents.tenantId').onRef('page.id', '=', 'documents.id'),
        )
        .orderBy('documents.createdTime', 'desc')
        .orderBy('documents.id', 'desc')
        .execute(),
    ]);
    return toPage(filter, rows.map(toDocument), count);
  }

  async function update(input: DocumentChanges, actor: Actor): Promise<DocumentWithContent> {
    const { unused, changed } = await db.transaction().execute(async (tx) => {
      const existing = await lockDocument(tx, input);
      const { unused } = await change(tx, existing, input, actor);
      // Read in here: after the commit a worker may have begun already, and what changed answers as `created`.
      return { unused, changed: await read(tx, input) };
    });
    await files.release(unused);
    return changed;
  }

  async function setEnabled({ scope, documentId, enabled }: DocumentSwitch, actor: Actor): Promise<void> {
    const { numUpdatedRows } = await db
      .updateTable('documents')
      .set({ enabled, updatedTime: clock(), updatedBy: actor.userId ?? null })
      .where('id', '=', documentId)
      .where(inScope(scope))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw missing();
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

  async function lockDocument(tx: Queryable, { scope, documentId }: DocumentRef): Promise<DocumentRow> {
    return selectDocument(tx)
      .where(inScope(scope))
      .where('id', '=', documentId)
      .forUpdate()
      .executeTakeFirstOrThrow(missing);
  }

  /**
   * Changes the given fields of a locked document, and has it processed again if its text comes from elsewhere
   * now.
   *
   * @returns also the key of the file that it no longer uses
   */
  async function change(
    tx: Queryable,
    existing: DocumentRow,
    given: Changes,
    actor: Actor,
  ): Promise<{ row: Selectable<DocumentTable>; unused: string | null }> {
    const isNewSource = await changesSource(tx, existing, given);
    const source = sourceAfter(existing, given);
    const kind = sourceKind(source);
    const row = await tx
      .updateTable('documents')
      .set({
        ...(given.documentName !== undefined && { documentName: given.documentName }),
        ...(given.customProperties && { customProperties: JSON.stringify(given.customProperties) }),
        ...(given.enabled !== undefined && { enabled: given.enabled }),
        ...(given.url !== undefined && { url: given.url }),
        ...(isNewSource && {
          source: kind,
          sniffedSubType: null,
          status: 'created',
          processingProgress: 0,
          stage: null,
          attempts: 0,
          error: null,
          revision: existing.revision + 1,
          ...(kind === 'none' && { chunkCount: 0 }),
        }),
        updatedTime: clock(),
        updatedBy: actor.userId ?? null,
      })
      .where('tenantId', '=', existing.tenantId)
      .where('id', '=', existing.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (!isNewSource) return { row, unused: null };

    const unused = await saveSource(tx, row, source, files);
    if (kind === 'none') await removeChunks(tx, row.tenantId, row.id);
    else await enqueue(tx, row);
    return { row, unused };
  }

  async function changesSource(tx: Queryable, existing: DocumentRow, given: GivenSource): Promise<boolean> {
    // What failed is worth another try, also with the same text.
    const again = existing.status === 'failed' || existing.source === 'none';
    // Content that was never there cannot be emptied: the file, location or URL stays.
    if (given.documentContent || (given.documentContent === '' && existing.source === 'content')) {
      if (again) return true;
      const source = await recordedSource(tx, existing);
      return existing.source !== 'content' || source?.contentHash !== hashContent(given.documentContent);
    }
    // Unspecified: a new URL without content takes the place of the content that was there.
    return given.url !== undefined && (again || given.url !== existing.url);
  }

  async function removeChunks(tx: Queryable, tenantId: string, documentId: string): Promise<void> {
    const chunks = await tx
      .deleteFrom('chunks')
      .where('tenantId', '=', tenantId)
      .where('documentId', '=', documentId)
      .returning('id')
      .execute();
    await index.apply(tx, { removed: chunks.map(({ id }) => id) });
  }

  async function enqueue(tx: Queryable, { tenantId, id }: Selectable<DocumentTable>): Promise<void> {
    await jobs.enqueue(tx, { tenantId, documentId: id });
  }
}

type DescribedDocument = Omit<
  Insertable<DocumentTable>,
  'source' | 'createdTime' | 'updatedTime' | 'createdBy' | 'updatedBy'
>;

type Changes = Partial<
  Pick<
    DocumentUpsert & DocumentChanges,
    'documentName' | 'customProperties' | 'enabled' | 'url' | 'documentContent'
  >
>;

const missing = () => notFound('Document', ['documentId']);
