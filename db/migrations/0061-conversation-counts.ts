import { type Kysely, sql } from 'kysely';
import { protectTables } from './protect-tables.js';

/**
 * What conversations come to by day and agent, and how much of it each conversation is. Conversations are counted with the
 * index of messages, which the migration before has all of them wait for; those of it that are done wait again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table conversation_counts (
      tenant_id       identifier not null,
      day             date not null,             -- in UTC
      tenant_unit_id  identifier not null,
      agent_id        identifier not null,       -- of the conversations
      conversations   bigint not null,           -- that were created on the day
      user_messages   bigint not null,           -- of the day, in whatever conversations, like all that follow
      agent_messages  bigint not null,           -- all others
      input_tokens    double precision not null,
      answer_tokens   double precision not null,
      total_tokens    double precision not null,
      up              bigint not null,           -- verdicts on messages of the day
      down            bigint not null,
      first_answers   bigint[] not null,         -- of the conversations of the day, by how long they took
      first_answer_ms double precision not null, -- how long they took together
      primary key (tenant_id, day, tenant_unit_id, agent_id)
    )
  `.execute(db);
  await sql`
    create table conversation_days (
      tenant_id       identifier not null,
      conversation_id identifier not null,
      day             date not null,
      sequence        bigint not null,           -- messages up to this number are counted
      user_messages   bigint not null,
      agent_messages  bigint not null,
      input_tokens    double precision not null,
      answer_tokens   double precision not null,
      total_tokens    double precision not null,
      up              bigint not null,
      down            bigint not null,
      first_answer_ms double precision,          -- on the day of creation, once there is an answer
      primary key (tenant_id, conversation_id, day),
      foreign key (tenant_id, conversation_id) references conversations (tenant_id, id) on delete cascade
    )
  `.execute(db);
  await protectTables(db, { conversation_counts: 'select', conversation_days: 'select' });
  await sql`
    insert into message_changes (tenant_id, conversation_id)
    select c.tenant_id, c.id from conversations as c
    where not exists (
      select from message_changes as w where w.tenant_id = c.tenant_id and w.conversation_id = c.id)
    order by c.created_time
  `.execute(db);
}
