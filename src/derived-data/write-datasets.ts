import { sql } from 'kysely';
import type { Queryable } from '../../db/schema.js';

interface NewDatasets {
  tenantId: string;
  documentIds: readonly string[];
}

/** Dataset ids as the row of a document has them: each once, in the order of their bytes. */
export const toStoredDatasets = (datasetIds: readonly string[]): string[] =>
  [...new Set(datasetIds)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

/** Writes a row for each dataset of new documents, as their rows have them. */
export async function writeDatasets(tx: Queryable, { tenantId, documentIds }: NewDatasets): Promise<void> {
  await sql`
    insert into document_datasets (tenant_id, tenant_unit_id, document_id, dataset_id, created_time)
    select d.tenant_id, d.tenant_unit_id, d.id, dataset_id, d.created_time
    from documents as d cross join unnest(d.dataset_ids) as dataset_id
    where d.tenant_id = ${tenantId} and d.id = any(${documentIds}::text[])
  `.execute(tx);
}

/** The same of documents that are in other datasets now. */
export async function replaceDatasets(tx: Queryable, datasets: NewDatasets): Promise<void> {
  await tx
    .deleteFrom('documentDatasets')
    .where('tenantId', '=', datasets.tenantId)
    .where('documentId', 'in', datasets.documentIds)
    .execute();
  await writeDatasets(tx, datasets);
}
