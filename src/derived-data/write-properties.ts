import { type Selectable, sql } from 'kysely';
import type { DocumentTable, Queryable } from '../../db/schema.js';

interface NewProperties {
  tenantId: string;
  documentIds: readonly string[];
}

/** The columns that a document's properties are made of. */
export const propertyColumns = ['customProperties', 'documentName', 'url'] as const;

export const hasProperties = (
  row: Pick<Selectable<DocumentTable>, (typeof propertyColumns)[number]>,
): boolean => propertyColumns.some((column) => row[column] !== null);

/** Writes by which properties new documents are found. */
export async function writeProperties(
  tx: Queryable,
  { tenantId, documentIds }: NewProperties,
): Promise<void> {
  await sql`
    insert into document_properties (tenant_id, entry, document_id)
    select d.tenant_id, entry, d.id
    from documents as d cross join lateral property_entries(d.custom_properties, d.document_name, d.url) as entry
    where d.tenant_id = ${tenantId} and d.id = any(${documentIds}::text[])
  `.execute(tx);
}

/** The same of documents whose properties have changed. */
export async function replaceProperties(tx: Queryable, properties: NewProperties): Promise<void> {
  await tx
    .deleteFrom('documentProperties')
    .where('tenantId', '=', properties.tenantId)
    .where('documentId', 'in', properties.documentIds)
    .execute();
  await writeProperties(tx, properties);
}
