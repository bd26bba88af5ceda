import { sql } from 'kysely';
import type { ReadPosted } from '../postgres/postings/merge.js';
import type { PostedChunk } from '../postgres/postings/segment-builder.js';

/** In the tables of postings, messages of a unit are a dataset with this id, which no dataset of documents can have. */
export const MESSAGES = '';

/** Those of messages and topics that are still there. Postings have no words of theirs, only hashes of terms. */
export const readPostedMessages: ReadPosted = async (tx, { tenantId }, ids) => {
  const { rows } = await sql<PostedChunk>`
    select t.key as chunk_id, t.conversation_id as document_id, '{}'::jsonb as metadata, t.terms, null as words, t.length
    from (${ids} order by id) as asked
    cross join lateral (
      select key, conversation_id, terms, length from message_terms
      where tenant_id = ${tenantId} and key = asked.id::uuid limit 1) as t
  `.execute(tx);
  return rows;
};
