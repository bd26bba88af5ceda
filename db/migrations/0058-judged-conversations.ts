import { type Kysely, sql } from 'kysely';
import { protectTables } from './protect-tables.js';

/**
 * What people think of conversations: a note, its author and time beside the feedback of a message, the verdicts of
 * reviewers, and the answer that a judged question is from.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table messages
      add column feedback_note text, add column feedback_by text, add column feedback_time timestamptz
  `.execute(db);
  await sql`
    alter table evaluation_questions add column source_conversation_id text, add column source_message_id text
  `.execute(db);
  await sql`
    create table conversation_reviews (
      tenant_id       identifier not null,
      tenant_unit_id  identifier not null,
      id              identifier not null,
      conversation_id identifier not null,
      verdict         text not null,
      note            text,
      reviewed_time   timestamptz not null,
      reviewed_by     text,
      primary key (tenant_id, id),
      foreign key (tenant_id, conversation_id) references conversations (tenant_id, id) on delete cascade
    )
  `.execute(db);
  await sql`
    create index on conversation_reviews (tenant_id, conversation_id, reviewed_time, id)
  `.execute(db);
  await protectTables(db, { conversation_reviews: 'select, insert' });
}
