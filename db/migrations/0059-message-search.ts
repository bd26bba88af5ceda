import { type Kysely, sql } from 'kysely';
import { protectTables } from './protect-tables.js';

/**
 * The search index of messages and topics: the terms of each, and which conversations have some that are not indexed yet,
 * which at first are all. Postings are in the tables that chunks have.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table message_terms (
      tenant_id       identifier not null,
      key             uuid not null,          -- of a message's or a conversation's id, as segments have 16 bytes for each
      conversation_id identifier not null,
      message_id      identifier,             -- null: the topic of the conversation
      sequence        bigint not null,        -- the number of the message when it was read; of a topic -1
      length          integer not null,       -- in terms
      terms           text not null,          -- as in chunk_terms
      primary key (tenant_id, key),
      foreign key (tenant_id, conversation_id) references conversations (tenant_id, id) on delete cascade
    )
  `.execute(db);
  await sql`
    create index on message_terms (tenant_id, conversation_id, sequence, message_id)
  `.execute(db);
  // Conversations with new messages, another topic, or none of it any more because they are deleted.
  await sql`
    create table message_changes (
      tenant_id       identifier not null,
      id              bigint generated always as identity,
      conversation_id identifier not null,
      primary key (tenant_id, id)
    )
  `.execute(db);
  await sql`
    insert into message_changes (tenant_id, conversation_id)
    select tenant_id, id from conversations order by created_time
  `.execute(db);
  await protectTables(db, { message_terms: 'select, delete', message_changes: 'select, insert' });
}
