import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook_subscriptions (
      id                  identifier primary key,
      tenant_id           identifier not null,
      tenant_unit_ids     text[],                 -- null: all units of the tenant
      url                 text not null,
      description         text,
      event_types         text[] not null,
      secret              text not null,          -- whsec_…; signs, so it must be kept as it is
      former_secret       text,                   -- signs as well while it is replaced
      former_secret_until timestamptz,
      enabled             boolean not null default true,
      failures            integer not null default 0,  -- in a row
      paused_time         timestamptz,            -- after too many failures
      held_until          timestamptz,            -- nothing is sent before
      created_time        timestamptz not null,
      updated_time        timestamptz not null,
      created_by          text
    );
    create index on webhook_subscriptions (tenant_id, created_time desc, id desc);

    -- The outbox: written in the transaction of what happened, a row for each subscription that wants to know.
    create table webhook_deliveries (
      id                identifier primary key,
      sequence          bigint generated always as identity,
      tenant_id         identifier not null,
      subscription_id   identifier not null references webhook_subscriptions on delete cascade,
      event_id          identifier not null,      -- the same for all subscriptions, tries and replays
      event_type        text not null,
      subject_id        text not null,            -- what it is about: such events keep their order
      payload           text not null,            -- exactly the bytes that are signed and sent
      created_time      timestamptz not null,
      attempts          integer not null default 0,
      next_attempt_time timestamptz,              -- null: delivered, or given up
      claim             text,                     -- of the try under way; void once next_attempt_time has come
      delivered_time    timestamptz,
      last_status       integer,                  -- the HTTP status of the last answer
      last_error        text
    );
    create index on webhook_deliveries (subscription_id, next_attempt_time, sequence)
      where next_attempt_time is not null;
    create index on webhook_deliveries (subscription_id) where claim is not null;
    create index on webhook_deliveries (tenant_id, subscription_id, sequence desc);
    create index on webhook_deliveries (created_time);
  `.execute(db);
}
