import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import type { TokenizedChunk } from '../ranking/count-terms.js';
import { chunkIdAt, type SegmentChunk } from '../ranking/read-chunk-terms.js';
import { isInConversation, isMessage } from './conditions.js';
import { MESSAGES } from './message-entries.js';
import type { MessageQuery } from './message-query.js';

/** A message or topic that may be found, with its key in place of a chunk's id. */
export interface MessageCandidate extends TokenizedChunk {
  conversationId: string;
  messageId: string | null;
}

/**
 * Reads those at some places of segments that are still there and pass the filters.
 *
 * @returns undefined when a segment is gone: it was merged into another one
 */
export async function readCandidates(
  db: Database,
  query: MessageQuery,
  places: SegmentChunk[],
): Promise<MessageCandidate[] | undefined> {
  if (places.length === 0) return [];
  const { tenantId } = query;
  const segmentIds = places.map(({ segmentId }) => segmentId);
  const ordinals = places.map(({ ordinal }) => ordinal);
  // Looked up one by one through an index, whatever the planner's statistics are: `limit` sees to that.
  const { rows } = await sql<MessageCandidate & { isGone: boolean }>`
    select t.key as chunk_id, t.conversation_id, t.message_id, t.length, t.terms, named.id is null as is_gone
    from (
      select (${chunkIdAt(tenantId)}) as id
      from unnest(${segmentIds}::bigint[], ${ordinals}::integer[]) as asked (segment_id, ordinal)
      offset 0) as named
    left join lateral (
      select key, conversation_id, message_id, length, terms
      from (select * from message_terms where tenant_id = ${tenantId} and key = named.id::uuid limit 1) as found
      where ${isInConversation(query, sql`found.conversation_id`)} and ${isMessage(query, sql`found.message_id`)}) as t on true
    where t.key is not null or named.id is null
  `.execute(db);
  return rows.some(({ isGone }) => isGone) ? undefined : rows;
}

/** The units of a tenant with messages that are indexed. */
export async function readUnits(db: Database, tenantId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('postingSegments')
    .select('tenantUnitId')
    .distinct()
    .where('tenantId', '=', tenantId)
    .where('datasetId', '=', MESSAGES)
    .execute();
  return rows.map(({ tenantUnitId }) => tenantUnitId);
}
