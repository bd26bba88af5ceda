import { sql } from 'kysely';
import type { Queryable } from '../../db/schema.js';

interface NewNames {
  tenantId: string;
  documentIds: readonly string[];
}

/** Writes by which words new documents are found while their names are typed, each in its datasets. */
export async function writeNames(tx: Queryable, { tenantId, documentIds }: NewNames): Promise<void> {
  await sql`
    insert into document_names (tenant_id, tenant_unit_id, dataset_id, name_end, document_id)
    select d.tenant_id, d.tenant_unit_id, dataset_id, name_end, d.id
    from documents as d
    cross join unnest(d.dataset_ids) as dataset_id
    cross join lateral (
      select * from name_ends(d.document_name) union select * from name_ends(d.title)) as ends (name_end)
    where d.tenant_id = ${tenantId} and d.id = any(${documentIds}::text[]) and d.enabled and name_end <> ''
  `.execute(tx);
}

/** The same of documents that have other names or datasets, or are enabled or disabled. */
export async function replaceNames(tx: Queryable, names: NewNames): Promise<void> {
  await tx
    .deleteFrom('documentNames')
    .where('tenantId', '=', names.tenantId)
    .where('documentId', 'in', names.documentIds)
    .execute();
  await writeNames(tx, names);
}
