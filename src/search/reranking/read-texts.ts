import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import type { ChunkQuery } from '../chunk-index.js';
import { inVisibleDocument } from '../in-visible-document.js';

/** Of a text that is sent, in characters. */
const MAX_TEXT_LENGTH = 4_000;

/**
 * The texts of those chunks that a query may show, as they are now, under their headings: an index may be behind.
 *
 * @returns by chunk; none of them is empty
 */
export async function readTexts(
  db: Database,
  query: ChunkQuery,
  chunkIds: string[],
): Promise<Map<string, string>> {
  const { tenantId, tenantUnitId } = query;
  const { rows } = await sql<{ id: string; text: string }>`
    select c.id, c.text
    from unnest(${chunkIds}::text[]) as asked (id)
    cross join lateral (
      select id, document_id,
        left(concat_ws(E'\n', nullif(content_complement, ''), nullif(content, '')), ${MAX_TEXT_LENGTH}) as text
      from chunks
      where tenant_id = ${tenantId} and id = asked.id and tenant_unit_id = any(${[tenantUnitId].flat()})
        and status = 'active' and not deleted limit 1) as c
    ${inVisibleDocument(query)}
    where c.text <> ''
  `.execute(db);
  return new Map(rows.map(({ id, text }) => [id, text]));
}
