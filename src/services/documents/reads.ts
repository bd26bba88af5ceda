import { type SqlBool, sql } from 'kysely';
import { compileOnce } from '../../../db/compile-once.js';
import type { Database, Queryable } from '../../../db/schema.js';
import { whereDefined } from '../../../db/where-defined.js';
import { assertPageBytes } from '../shared/page-bytes.js';
import { assertAtMost, offsetOf, type Page, toPage } from '../shared/pagination.js';
import { withinTenant } from '../shared/tenant-scope.js';
import type {
  Document,
  DocumentFilter,
  DocumentRef,
  DocumentSelection,
  DocumentWithContent,
} from './documents.schema.js';
import {
  documentNotFound,
  inlineContent,
  selectDocument,
  selectDocumentPage,
  toDocument,
  withinDatasets,
} from './rows.js';

export interface DocumentReadsDependencies {
  db: Database;
  maxPageSize: number;
}

/** Reads documents. */
export function createDocumentReads({ db, maxPageSize }: DocumentReadsDependencies) {
  const selectWithContent = compileOnce(db, ({ scope, documentId }: DocumentRef) =>
    selectDocument(db).where(withinDatasets(scope)).where('id', '=', documentId).select(inlineContent),
  );
  return { get, getMany, list };

  async function get(ref: DocumentRef): Promise<DocumentWithContent> {
    const [row] = await selectWithContent(ref);
    if (!row) throw documentNotFound();
    return { ...toDocument(row, ref.scope), documentContent: row.documentContent };
  }

  /** In the requested order; missing ids are left out. */
  async function getMany({ scope, documentIds }: DocumentSelection): Promise<Document[]> {
    assertAtMost(maxPageSize, documentIds.length, 'documentIds');
    const wanted = [...new Set(documentIds)];
    if (wanted.length === 0) return [];
    const rows = await selectDocumentPage(db)
      .where(withinDatasets(scope))
      .where('id', 'in', wanted)
      .execute();
    assertPageBytes(rows, 'documentIds');
    const byId = new Map(rows.map((row) => [row.id, row]));
    return wanted.flatMap((id) => byId.get(id) ?? []).map((row) => toDocument(row, scope));
  }

  /** Newest first. */
  async function list(filter: DocumentFilter): Promise<Page<Document>> {
    assertAtMost(maxPageSize, filter.pageSize, 'pageSize');
    const matching = db
      .selectFrom('documents')
      .where(withinDatasets(filter.scope))
      // Unlike `in ()`, an empty array is valid SQL: it matches nothing.
      .$call(
        whereDefined(filter.documentTypes, (q, any) => q.where(sql<SqlBool>`document_type = any(${any})`)),
      )
      .$call(whereDefined(filter.statuses, (q, any) => q.where(sql<SqlBool>`status = any(${any})`)))
      .$call(
        whereDefined(filter.datasetIds, (q, any) =>
          q.where((eb) =>
            eb.exists(
              eb
                .selectFrom('documentDatasets as s')
                .whereRef('s.tenantId', '=', 'documents.tenantId')
                .whereRef('s.documentId', '=', 'documents.id')
                .where(sql<SqlBool>`s.dataset_id = any(${any})`)
                .select('s.datasetId'),
            ),
          ),
        ),
      );
    const [{ count }, rows] = await Promise.all([
      matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
      // Index-only scan for the keys of the page, then read its rows.
      selectDocumentPage(db)
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
        .where(withinTenant(filter.scope, 'documents'))
        .orderBy('documents.createdTime', 'desc')
        .orderBy('documents.id', 'desc')
        .execute(),
    ]);
    assertPageBytes(rows);
    return toPage(
      filter,
      rows.map((row) => toDocument(row, filter.scope)),
      count,
    );
  }
}

/** The inline text; null if the document has another source or is not visible. */
export async function readContent(
  from: Queryable,
  { scope, documentId }: DocumentRef,
): Promise<string | null> {
  const row = await from
    .selectFrom('documents')
    .where(withinDatasets(scope))
    .where('id', '=', documentId)
    .select(inlineContent)
    .executeTakeFirst();
  return row?.documentContent ?? null;
}
