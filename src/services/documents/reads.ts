import { type QueryCreator, type Selectable, sql } from 'kysely';
import { compileOnce } from '../../../db/compile-once.js';
import { wholeInlineText } from '../../../db/inline-text.js';
import type { Database, DocumentTable, Queryable, Schema } from '../../../db/schema.js';
import type { ListFilter } from '../shared/lists/list-filter.js';
import { sortKey } from '../shared/lists/list-order.js';
import type { ListTotal } from '../shared/lists/list-total.js';
import { createListReader } from '../shared/lists/read-list.js';
import { assertPageBytes } from '../shared/page-bytes.js';
import { assertAtMost, type Page, toPage } from '../shared/pagination.js';
import { type TenantScope, unitsOf } from '../shared/tenant-scope.js';
import type {
  Document,
  DocumentFilter,
  DocumentRef,
  DocumentSelection,
  DocumentWithContent,
  ListedDocument,
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
  const selectWithContent = compileOnce(({ scope, documentId }: DocumentRef) =>
    selectDocument(db)
      .where(withinDatasets(scope))
      .where('id', '=', documentId)
      .select(inlineContent(scope))
      .compile(),
  );
  const readList = createListReader(db, 'documents', ({ tenantId, by, direction, page, total }) =>
    selectDocumentPage(
      db
        .with(
          (cte) => cte('listed').materialized(),
          () => total,
        )
        // Takes the place of the table in what follows: the total, which counts in the table, comes before.
        .with(
          (cte) => cte('documents').materialized(),
          () => page.$castTo<Selectable<DocumentTable>>(),
        ) as unknown as QueryCreator<Schema>,
    )
      .innerJoin(sql<ListTotal>`listed`.as('listed'), (join) => join.onTrue())
      .leftJoin('documentSources as source', (join) =>
        join.on('source.tenantId', '=', tenantId).onRef('source.documentId', '=', 'documents.id'),
      )
      .where('documents.tenantId', '=', tenantId)
      .select(['source.sizeBytes'])
      .select(['listed.totalCount', 'listed.counterState'])
      .orderBy(sortKey(by, 'documents'), direction)
      .orderBy('documents.id', direction),
  );
  return { get, getMany, list };

  async function get(ref: DocumentRef): Promise<DocumentWithContent> {
    const [row] = await selectWithContent(ref, db);
    if (!row) throw documentNotFound();
    const document = toDocument(row, ref.scope);
    const key = { tenantId: row.tenantId, documentId: row.id };
    return { ...document, documentContent: await wholeInlineText(db, key, row.documentContent) };
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

  async function list(filter: DocumentFilter): Promise<Page<ListedDocument>> {
    assertAtMost(maxPageSize, filter.pageSize, 'pageSize');
    const { rows, total } = await readList({
      ...filter,
      filter: toListFilter(filter),
      order: filter.order ?? 'recent',
    });
    assertPageBytes(rows);
    return toPage(
      filter,
      rows.map((row) => ({ ...toDocument(row, filter.scope), source: row.source, sizeBytes: row.sizeBytes })),
      total,
    );
  }
}

/** A key's datasets say nothing more where those that are asked for are among them. */
function toListFilter({
  scope,
  documentTypes,
  statuses,
  datasetIds,
  nameContains,
  hasWarnings,
  failureCode,
}: DocumentFilter): ListFilter {
  const { datasetIds: reached }: TenantScope = scope;
  return {
    list: 'documents',
    tenantId: scope.tenantId,
    tenantUnitIds: unitsOf(scope),
    statuses,
    documentTypes,
    datasetIds,
    nameContains,
    hasWarnings,
    failureCode,
    reachedDatasetIds: datasetIds?.every((id) => reached?.includes(id)) ? undefined : reached,
  };
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
    .select(['tenantId', inlineContent(scope)])
    .executeTakeFirst();
  return row ? wholeInlineText(from, { tenantId: row.tenantId, documentId }, row.documentContent) : null;
}
