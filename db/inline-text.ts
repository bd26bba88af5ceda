import { StringDecoder } from 'node:string_decoder';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Queryable } from './schema.js';

/** Longer texts are read in parts: pg decodes a value at once, 16 MB of Chinese in 70 ms. */
const MAX_BYTES = 1_000_000;

/** The inline text of a document, as a column; empty, as none is stored, where it has to be read by `wholeInlineText`. */
export function shortInlineText(column: string) {
  const text = sql.ref(column);
  return sql<string | null>`
    case when octet_length(${text}) <= ${sql.lit(MAX_BYTES)} then ${text} when ${text} is not null then '' end`;
}

/**
 * The inline text of a document. Other work of the event loop runs in between where it is long.
 *
 * @param short what `shortInlineText` is
 */
export async function wholeInlineText(
  db: Queryable,
  { tenantId, documentId }: { tenantId: string; documentId: string },
  short: string | null,
): Promise<string | null> {
  if (short !== '') return short;
  const { rows } = await sql<{ part: Buffer }>`
    with source as materialized (
      select convert_to(content, 'UTF8') as bytes from document_sources
      where tenant_id = ${tenantId} and document_id = ${documentId})
    select substr(bytes, 1 + place, ${sql.lit(MAX_BYTES)}) as part
    from source, generate_series(0, octet_length(bytes) - 1, ${sql.lit(MAX_BYTES)}) as place
    order by place
  `.execute(db);
  const decoder = new StringDecoder();
  let text = '';
  for (const { part } of rows) {
    text += decoder.write(part);
    await setImmediate();
  }
  return text || null;
}
