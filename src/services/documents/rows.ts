import { type ExpressionBuilder, type QueryCreator, type Selectable, type SqlBool, sql } from 'kysely';
import { shortInlineText } from '../../../db/inline-text.js';
import type { DocumentTable, Queryable, Schema } from '../../../db/schema.js';
import { notFound } from '../../errors/errors.js';
import { assertExpectedVersion } from '../shared/expected-version.js';
import { measureRowBytes, objectWithinLimit, pageBytes } from '../shared/page-bytes.js';
import { type TenantScope, withinTenant } from '../shared/tenant-scope.js';
import { toStoredChunking } from './chunking.schema.js';
import { assertInNoOtherDataset } from './datasets.js';
import type {
  Document,
  DocumentDescription,
  DocumentRemoval,
  DocumentSelection,
} from './documents.schema.js';

export type DocumentRow = Selectable<DocumentTable>;

/** Documents with the ids of the datasets they belong to. */
export const selectDocument = (db: Queryable) => db.selectFrom('documents').selectAll('documents');

/** Like selectDocument, with the columns that assertPageBytes needs. */
export const selectDocumentPage = (db: QueryCreator<Schema>) =>
  db
    .selectFrom('documents')
    .innerJoinLateral(measureRowBytes('documents.customProperties'), (join) => join.onTrue())
    .select(listedColumns)
    .select([objectWithinLimit('documents.customProperties').as('customProperties'), pageBytes]);

/** All columns except those with a size limit. */
const listedColumns = [
  'documents.id',
  'documents.tenantId',
  'documents.tenantUnitId',
  'documents.externalId',
  'documents.documentType',
  'documents.documentSubType',
  'documents.sniffedSubType',
  'documents.documentName',
  'documents.storageType',
  'documents.storageBucket',
  'documents.storagePath',
  'documents.url',
  'documents.title',
  'documents.category',
  'documents.status',
  'documents.processingProgress',
  'documents.enabled',
  'documents.source',
  'documents.revision',
  'documents.stage',
  'documents.attempts',
  'documents.error',
  'documents.warnings',
  'documents.chunkCount',
  'documents.chunking',
  'documents.extraction',
  'documents.newChunks',
  'documents.processedTime',
  'documents.version',
  'documents.datasetsRevision',
  'documents.datasetIds',
  'documents.createdTime',
  'documents.updatedTime',
  'documents.createdBy',
  'documents.updatedBy',
  'documents.externalIdSpace',
] as const;

/** A document's inline text, as a further column of `selectDocument`, for `wholeInlineText`. */
export const inlineContent = (scope: TenantScope) => (eb: ExpressionBuilder<Schema, 'documents'>) =>
  eb
    .selectFrom('documentSources as source')
    .whereRef('source.tenantId', '=', 'documents.tenantId')
    .where(withinTenant({ tenantId: scope.tenantId }, 'source'))
    .whereRef('source.documentId', '=', 'documents.id')
    .select(shortInlineText('source.content').as('content'))
    .as('documentContent');

/** Condition: documents within the tenant scope and its datasets. */
export const withinDatasets = (scope: TenantScope, table = 'documents') => {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  // biome-ignore lint/suspicious/noExplicitAny: as for `inScope`
  return (eb: ExpressionBuilder<Schema, any>) =>
    eb.and([
      withinTenant(scope, table)(eb),
      ...(scope.datasetIds === undefined
        ? []
        : [sql<SqlBool>`${column('datasetIds')} && ${[scope.datasetIds].flat()}::text[]`]),
    ]);
};

/**
 * The same check in memory, for documents read once for several scopes.
 *
 * @returns a predicate for documents
 */
export function scopeMatcher({ tenantId, tenantUnitId, datasetIds }: TenantScope) {
  const units = tenantUnitId === undefined ? undefined : new Set([tenantUnitId].flat());
  const datasets = datasetIds === undefined ? undefined : new Set(datasetIds);
  return (document: Pick<DocumentRow, 'tenantId' | 'tenantUnitId' | 'datasetIds'>): boolean =>
    (tenantId === undefined || tenantId === document.tenantId) &&
    (units === undefined || units.has(document.tenantUnitId)) &&
    (datasets === undefined || document.datasetIds.some((id) => datasets.has(id)));
}

/** Selects a document for update, at the expected version. */
export async function lockDocument(
  tx: Queryable,
  { scope, documentId, expectedVersion }: DocumentRemoval,
): Promise<DocumentRow> {
  const row = await selectDocument(tx)
    .where(withinDatasets(scope))
    .where('id', '=', documentId)
    .forUpdate()
    .executeTakeFirstOrThrow(documentNotFound);
  await assertInNoOtherDataset(tx, scope, { tenantId: row.tenantId, documentIds: [row.id] }, () => [
    'documentId',
  ]);
  assertExpectedVersion(row.version, expectedVersion);
  return row;
}

/**
 * Selects documents for update, all or none.
 *
 * @returns them in the given order, without duplicates
 */
export async function lockDocuments(
  tx: Queryable,
  { scope, documentIds }: DocumentSelection,
): Promise<DocumentRow[]> {
  if (documentIds.length === 0) return [];
  // Ordered by id to avoid deadlocks.
  const rows = await selectDocument(tx)
    .where(withinDatasets(scope))
    .where('id', 'in', documentIds)
    .orderBy('id')
    .forUpdate()
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const [place, id] of documentIds.entries()) {
    if (!byId.has(id)) throw notFound(`Document ${id}`, ['documentIds', place]);
  }
  const found = [...new Set(documentIds)];
  const { tenantId } = rows[0] as DocumentRow;
  await assertInNoOtherDataset(tx, scope, { tenantId, documentIds: found }, (id) => [
    'documentIds',
    documentIds.indexOf(id),
  ]);
  return found.flatMap((id) => byId.get(id) ?? []);
}

export const toDocument = (row: DocumentRow, scope: TenantScope): Document => ({
  ...row,
  documentSubType: row.documentSubType ?? row.sniffedSubType,
  datasetIds: visibleDatasets(row.datasetIds, scope),
});

/** The datasets of a document that the key may see. */
export const visibleDatasets = (datasetIds: string[], { datasetIds: reach }: TenantScope): string[] =>
  reach ? datasetIds.filter((id) => reach.includes(id)) : datasetIds;

export const documentNotFound = () => notFound('Document', ['documentId']);

/** Whether processing is pending or running. Documents without source are never pending. */
export const isPending = ({ status, source }: Pick<DocumentRow, 'status' | 'source'>) =>
  status === 'processing' || (status === 'created' && source !== 'none');

/** Resets processing. The new revision invalidates writes of a running worker. */
export const restartedColumns = (eb: ExpressionBuilder<Schema, 'documents'>) => ({
  status: 'created' as const,
  processingProgress: 0,
  stage: null,
  attempts: 0,
  error: null,
  newChunks: 0,
  revision: eb('revision', '+', 1),
});

/** The columns of a new document. */
export const toDocumentColumns = (given: Omit<DocumentDescription, 'documentType'>) => ({
  documentSubType: given.documentSubType,
  documentName: given.documentName,
  storageType: given.storageType ?? (given.storageBucket ? 's3' : null),
  storageBucket: given.storageBucket,
  storagePath: given.storagePath,
  url: given.url,
  title: given.title,
  category: given.category,
  customProperties: given.customProperties && JSON.stringify(given.customProperties),
  chunking: toStoredChunking(given.chunking),
  extraction: given.extraction ?? 'auto',
  enabled: given.enabled ?? true,
});
