import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { DocumentTable, Queryable, Schema } from '../../db/schema.js';
import type { Document } from './documents.schema.js';

export type DocumentRow = Selectable<DocumentTable> & { datasetIds: string[] };

/** Documents with the ids of the datasets they belong to. */
export const selectDocument = (db: Queryable) =>
  db
    .selectFrom('documents')
    .selectAll('documents')
    .select(
      sql<string[]>`array(
        select dataset_id::text from document_datasets as s
        where s.tenant_id = documents.tenant_id and s.document_id = documents.id
        order by dataset_id)`.as('datasetIds'),
    );

/** A document's inline text, as a further column of `selectDocument`. */
export const inlineContent = (eb: ExpressionBuilder<Schema, 'documents'>) =>
  eb
    .selectFrom('documentSources as source')
    .whereRef('source.tenantId', '=', 'documents.tenantId')
    .whereRef('source.documentId', '=', 'documents.id')
    .select('source.content')
    .as('documentContent');

/** The closed sets of values are guarded on their way in, so that they can be trusted on their way out. */
export const toDocument = (row: DocumentRow): Document =>
  ({ ...row, documentSubType: row.documentSubType ?? row.sniffedSubType }) as Document;
