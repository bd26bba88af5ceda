import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import type { ChunkQuery } from '../chunk-index.js';

/** Of a text that is sent, in characters. */
const MAX_TEXT_LENGTH = 4_000;

/**
 * The texts of those chunks that a query may show, as they are now, under their headings: an index may be behind.
 *
 * @returns by chunk; none of them is empty
 */
export async function readTexts(
  db: Database,
  { tenantId, tenantUnitId, datasetIds }: ChunkQuery,
  chunkIds: string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; text: string }>`
    select c.id, c.text
    from unnest(${chunkIds}::text[]) as asked (id)
    cross join lateral (
      select id, document_id,
        left(concat_ws(E'\n', nullif(content_complement, ''), nullif(content, '')), ${MAX_TEXT_LENGTH}) as text
      from chunks
      where tenant_id = ${tenantId} and id = asked.id and tenant_unit_id = any(${[tenantUnitId].flat()})
        and status = 'active' and not deleted limit 1) as c
    cross join lateral (
      select from documents where tenant_id = ${tenantId} and id = c.document_id and enabled limit 1) as d
    cross join lateral (
      select from document_datasets
      where tenant_id = ${tenantId} and document_id = c.document_id and dataset_id = any(${datasetIds}) limit 1) as s
    where c.text <> ''
  `.execute(db);
  return new Map(rows.map(({ id, text }) => [id, text]));
}
