import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import type { QueryScope } from '../chunk-index.js';
import { metadataBlocks } from '../filter/metadata-blocks.js';
import { collectPassing, type Passing, type PassingRow, selectPassing } from '../filter/passing.js';
import { entryRanges, MESSAGES } from './message-entries.js';
import type { MessageQuery } from './message-query.js';

/** With more conversations, it takes less to look through the best messages until enough have passed. */
const MAX_CONVERSATIONS = 2_000;
/** Of entries of messages: the same. */
const MAX_BYTES = 2_000_000;

/**
 * Finds where in segments the messages are that may pass a filter: by the indexes of the list of conversations, and by what
 * segments say of messages.
 *
 * @returns undefined where there is no filter, or too many pass
 */
export async function findOrdinals(
  db: Database,
  scope: QueryScope,
  query: MessageQuery,
): Promise<Passing | undefined> {
  const { tenantId } = scope;
  const { newest } = query.conversations;
  const metadata = entryRanges(query);
  if (!newest && metadata.length === 0) return undefined;
  const conversations = newest ? newest(MAX_CONVERSATIONS + 1) : sql`select null::text as id where false`;
  const { rows } = await sql<PassingRow>`
    with segments as materialized (
      select id, chunks, has_message_metadata is true as has_metadata from posting_segments
      where tenant_id = ${tenantId} and tenant_unit_id = any(${[scope.tenantUnitId].flat()}) and dataset_id = ${MESSAGES}
    ), found as materialized (
      select id from (${conversations}) as page
    ), passing as materialized (
      select id from found where (select count(*) from found) <= ${sql.lit(MAX_CONVERSATIONS)} offset 0
    ), ${metadataBlocks(tenantId, metadata, MAX_BYTES)}
    select 'documents' as kind, null::bigint as segment_id, null::bytea as bytes, false as is_partial,
      (select count(*) from found) > ${sql.lit(MAX_CONVERSATIONS)} as is_too_many, null::text[] as ids, null::integer as number
    union all ${selectPassing(tenantId)}
  `.execute(db);
  return collectPassing(rows, { isOfDocuments: newest !== undefined, isExact: false, metadata });
}
