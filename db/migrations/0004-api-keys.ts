import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table api_keys (
      id              identifier primary key,   -- public: a part of the key itself
      tenant_id       identifier not null,
      tenant_unit_ids text[],                   -- null: all units of the tenant
      dataset_ids     text[],                   -- null: all datasets of the tenant
      scopes          text[] not null,
      name            text not null,
      secret_hash     bytea not null check (octet_length(secret_hash) = 32),  -- SHA-256 of the secret, kept nowhere
      created_time    timestamptz not null,
      created_by      text,                     -- the key that made it; null where none was needed
      expires_time    timestamptz,
      last_used_time  timestamptz,              -- to the minute
      revoked_time    timestamptz,
      successor_id    identifier references api_keys  -- the key that takes its place
    );
    create index on api_keys (tenant_id, created_time desc, id desc);
  `.execute(db);
}
