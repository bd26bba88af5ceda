import { type Kysely, sql } from 'kysely';
import { protectTables } from './protect-tables.js';

/** Labels of tenants and of their conversations, and conversations by user and by label in the order of lists. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table labels (
      tenant_id    identifier not null,
      id           identifier not null,
      name         text collate "C" not null,
      color        text not null,
      created_time timestamptz not null,
      created_by   text,
      updated_time timestamptz not null,
      updated_by   text,
      deleted_time timestamptz,              -- deleted, and still to be removed from conversations
      primary key (tenant_id, id)
    )
  `.execute(db);
  await sql`create unique index on labels (tenant_id, name) where deleted_time is null`.execute(db);
  await sql`create index labels_deleted on labels (tenant_id, id) where deleted_time is not null`.execute(db);
  // A copy of conversations.labels and of the conversation's time: pages of a label need no join.
  await sql`
    create table conversation_labels (
      tenant_id       identifier not null,
      conversation_id identifier not null,
      label_id        identifier not null,
      created_time    timestamptz not null,
      primary key (tenant_id, conversation_id, label_id),
      foreign key (tenant_id, conversation_id) references conversations (tenant_id, id) on delete cascade
    )
  `.execute(db);
  await sql`
    create index on conversation_labels (tenant_id, label_id, created_time desc, conversation_id desc)
  `.execute(db);
  await sql`
    alter table conversations add column labels text[] collate "C" not null default '{}'
  `.execute(db);
  await sql`create index on conversations (tenant_id, user_id, created_time desc, id desc)`.execute(db);
  await protectTables(db, {
    labels: 'select, insert, update, delete',
    conversation_labels: 'select, insert, update, delete',
  });
}
