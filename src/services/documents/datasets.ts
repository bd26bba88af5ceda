import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import { forbidden, type InputPath } from '../../errors/errors.js';
import type { TenantScope, TenantUnitRef } from '../shared/tenant-scope.js';

/** @throws DomainError `forbidden` if the document would be in no dataset of the key */
export function assertInKeyDatasets({ datasetIds: reach }: TenantScope, datasetIds: string[]): void {
  if (!reach || datasetIds.length > 0) return;
  throw forbidden('This API key can access only some datasets; add the document to at least one of them.', [
    'datasetIds',
  ]);
}

/**
 * Unspecified: a key for some datasets changes and deletes only documents that are in no other. Call it with the documents
 * locked: whoever changes the datasets of a document locks it, too.
 *
 * @throws DomainError `forbidden` at the path of the first document that is
 */
export async function assertInNoOtherDataset(
  tx: Queryable,
  { datasetIds: reach }: TenantScope,
  { tenantId, documentIds }: { tenantId: string; documentIds: string[] },
  pathOf: (documentId: string) => InputPath,
): Promise<void> {
  if (!reach || documentIds.length === 0) return;
  const rows = await tx
    .selectFrom('documentDatasets')
    .select('documentId')
    .where('tenantId', '=', tenantId)
    .where('documentId', 'in', documentIds)
    .where('datasetId', 'not in', reach)
    .execute();
  const shared = new Set(rows.map(({ documentId }) => documentId));
  const first = documentIds.find((id) => shared.has(id));
  if (first === undefined) return;
  throw forbidden(
    `Document ${first} is also in datasets that this API key does not reach, so the key may not change it.`,
    pathOf(first),
  );
}

/** Adds documents of one tenant to datasets. Datasets are plain ids and need not exist. */
export async function saveDatasets(
  tx: Queryable,
  { tenantId }: Pick<TenantUnitRef, 'tenantId'>,
  documentIds: string[],
  datasetIds: string[],
): Promise<void> {
  if (documentIds.length === 0 || datasetIds.length === 0) return;
  await sql`
    insert into document_datasets (tenant_id, tenant_unit_id, document_id, dataset_id, created_time)
    select d.tenant_id, d.tenant_unit_id, d.id, dataset_id, d.created_time
    from documents as d cross join unnest(${datasetIds}::text[]) as dataset_id
    where d.tenant_id = ${tenantId} and d.id = any(${documentIds})
    on conflict do nothing
  `.execute(tx);
}

/**
 * Replaces the datasets of a document. The caller must update the search index.
 *
 * @returns whether they changed
 */
export async function replaceDatasets(
  tx: Queryable,
  document: TenantUnitRef & { id: string; datasetIds: string[] },
  datasetIds: string[],
): Promise<boolean> {
  if (isSame(datasetIds, document.datasetIds)) return false;
  await tx
    .deleteFrom('documentDatasets')
    .where('tenantId', '=', document.tenantId)
    .where('documentId', '=', document.id)
    .execute();
  await saveDatasets(tx, document, [document.id], datasetIds);
  await tx
    .updateTable('documents')
    .set((eb) => ({ datasetsRevision: eb('datasetsRevision', '+', 1) }))
    .where('tenantId', '=', document.tenantId)
    .where('id', '=', document.id)
    .execute();
  return true;
}

function isSame(wanted: string[], present: string[]): boolean {
  const [a, b] = [new Set(wanted), new Set(present)];
  return a.size === b.size && [...a].every((id) => b.has(id));
}
