import { type RawBuilder, sql } from 'kysely';
import type { ReadPosted } from '../postgres/postings/merge.js';
import type { PostedChunk } from '../postgres/postings/segment-builder.js';
import { selectEntries } from './message-entries.js';

/** Those of messages and topics that are still there. Postings have no words of theirs, only hashes of terms. */
export const readPostedMessages: ReadPosted = async (tx, { tenantId }, ids) => {
  const { rows } = await sql<PostedChunk>`
    select t.key as chunk_id, t.conversation_id as document_id, entries.metadata, t.terms, null as words, t.length
    from (${ids} order by id) as asked
    cross join lateral (
      select key, conversation_id, message_id, terms, length from message_terms
      where tenant_id = ${tenantId} and key = asked.id::uuid limit 1) as t
    cross join lateral (${selectEntries(tenantId, sql`t.conversation_id`, sql`t.message_id`)}) as entries
  `.execute(tx);
  return rows;
};

/** A query for the entries of the message whose key is `id`. */
export const selectEntriesOf = (tenantId: string, id: RawBuilder<unknown>) => sql`
  select entries.metadata
  from (
    select conversation_id, message_id from message_terms
    where tenant_id = ${tenantId} and key = ${id}::uuid limit 1) as t
  cross join lateral (${selectEntries(tenantId, sql`t.conversation_id`, sql`t.message_id`)}) as entries`;
