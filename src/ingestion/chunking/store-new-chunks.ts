import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import { writeNewChunks } from '../../search/indexing/index-writer.js';

/** The chunks of a document that has none yet. */
export interface NewChunks {
  id: string;
  tenantUnitId: string;
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
  const { numAffectedRows = 0n } = await sql`
    insert into chunks (id, tenant_id, tenant_unit_id, document_id, ordinal, source_hash, content,
      content_complement, keywords, metadata, created_time, updated_time)
    select draft.id, ${tenantId}, d.tenant_unit_id, d.document_id, draft.ordinal, draft.source_hash, draft.content,
      draft.content_complement, draft.keywords, draft.metadata, ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${drafts}::json) as d (document_id text, tenant_unit_id text, batches json)
    cross join lateral json_array_elements(d.batches) as batch
    cross join lateral json_to_recordset(batch) as draft (
      ordinal int, id text, source_hash text, content text, content_complement text, keywords json, metadata jsonb)
    order by d.document_id, draft.ordinal
  `.execute(tx);
  await writeNewChunks(tx, tenantId, drafts);
  return Number(numAffectedRows);
}

const toJson = ({ id, tenantUnitId, batches }: NewChunks): string =>
  `{"document_id":${JSON.stringify(id)},"tenant_unit_id":${JSON.stringify(tenantUnitId)},"batches":[${batches.join()}]}`;
