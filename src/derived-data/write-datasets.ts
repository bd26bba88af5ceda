import { type Selectable, sql } from 'kysely';
import { insertBatches } from '../../db/insert-batches.js';
import type { DocumentTable, Queryable } from '../../db/schema.js';

/** Dataset ids as the row of a document has them: each once, in the order of their bytes. */
export const toStoredDatasets = (datasetIds: readonly string[]): string[] =>
  [...new Set(datasetIds)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

/**
 * Writes a row for each dataset of new documents. They are given as values: for rows that a statement selects, a cluster
 * makes a plan for every shard of the table.
 */
export async function writeDatasets(
  tx: Queryable,
  documents: Pick<
    Selectable<DocumentTable>,
    'tenantId' | 'tenantUnitId' | 'id' | 'datasetIds' | 'createdTime'
  >[],
): Promise<void> {
  const rows = documents.flatMap(({ tenantId, tenantUnitId, id, datasetIds, createdTime }) =>
    datasetIds.map((datasetId) => ({ tenantId, tenantUnitId, documentId: id, datasetId, createdTime })),
  );
  for (const batch of insertBatches(rows)) await tx.insertInto('documentDatasets').values(batch).execute();
}

/** Replaces those of documents that are in other datasets now, as their rows have them. */
export async function replaceDatasets(
  tx: Queryable,
  { tenantId, documentIds }: { tenantId: string; documentIds: readonly string[] },
): Promise<void> {
  await tx
    .deleteFrom('documentDatasets')
    .where('tenantId', '=', tenantId)
    .where('documentId', 'in', documentIds)
    .execute();
  await sql`
    insert into document_datasets (tenant_id, tenant_unit_id, document_id, dataset_id, created_time)
    select d.tenant_id, d.tenant_unit_id, d.id, dataset_id, d.created_time
    from documents as d cross join unnest(d.dataset_ids) as dataset_id
    where d.tenant_id = ${tenantId} and d.id = any(${documentIds}::text[])
  `.execute(tx);
}
