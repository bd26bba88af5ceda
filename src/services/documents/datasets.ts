import type { Queryable } from '../../../db/schema.js';
import { forbidden, type InputPath } from '../../errors/errors.js';
import type { TenantScope } from '../shared/tenant-scope.js';

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
