import { type Kysely, sql } from 'kysely';

/**
 * Numbers the messages of each conversation in the order in which their transactions are committed, so that who has read
 * up to a number misses none. Rows that an agent runtime inserts have none, until the service numbers them. Older rows have 0.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table conversations add column message_sequence bigint not null default 0`.execute(db);
  await sql`alter table messages add column sequence bigint default 0`.execute(db);
  await sql`alter table messages alter column sequence drop default`.execute(db);
  await sql`
    create index messages_sequence on messages (tenant_id, conversation_id, sequence) where sequence > 0
  `.execute(db);
  await sql`
    create index messages_unnumbered on messages (tenant_id, conversation_id) where sequence is null
  `.execute(db);
  const { rows } = await sql<{ role: string }>`select tenant_role() as role`.execute(db);
  await sql`grant update on messages to ${sql.id(rows[0]?.role ?? '')}`.execute(db);
}
