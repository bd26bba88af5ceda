import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import { writeNewChunks } from '../../search/indexing/index-writer.js';

/** The chunks of a document that has none yet. */
export interface NewChunks {
  id: string;
  /** JSON arrays of objects that have the columns of `chunk_drafts`, from the sandbox. */
  batches: string[];
}

/**
 * Stores the first chunks of documents, in one transaction with the index. Their rows must be locked.
 *
 * @returns how many there are; the caller counts them
 */
export async function storeNewChunks(
  tx: Queryable,
  tenantId: string,
  documents: NewChunks[],
  now: Date,
): Promise<number> {
  const drafts = `[${documents.map(toJson).join()}]`;
  const ids = documents.map(({ id }) => id);
  const { rows } = await sql<{ id: string; documentId: string }>`
    insert into chunks as added (id, tenant_id, tenant_unit_id, document_id, ordinal, source_hash, content,
      content_complement, keywords, metadata, created_time, updated_time)
    select draft.id, d.tenant_id, d.tenant_unit_id, d.id, draft.ordinal, draft.source_hash, draft.content,
      draft.content_complement, draft.keywords, draft.metadata, ${now}::timestamptz, ${now}::timestamptz
    from documents as d
    join json_to_recordset(${drafts}::json) as given (document_id text, batches json) on given.document_id = d.id
    cross join lateral json_array_elements(given.batches) as batch
    cross join lateral json_to_recordset(batch) as draft (
      ordinal int, id text, source_hash text, content text, content_complement text, keywords json, metadata jsonb)
    where d.tenant_id = ${tenantId} and d.id = any(${ids})
    order by d.id, draft.ordinal
    returning added.id, added.document_id
  `.execute(tx);
  await writeNewChunks(tx, { tenantId, drafts, chunks: rows });
  return rows.length;
}

const toJson = ({ id, batches }: NewChunks): string =>
  `{"document_id":${JSON.stringify(id)},"batches":[${batches.join()}]}`;
