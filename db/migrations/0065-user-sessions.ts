import { type Kysely, sql } from 'kysely';
import { protectTables } from './protect-tables.js';

/** Sessions of people whom a provider has signed in. Those of API keys stay in `sessions`, as the former release knows them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table user_sessions (
      tenant_id       identifier not null,
      id              identifier not null,      -- public: a part of the cookie
      secret_hash     bytea not null check (octet_length(secret_hash) = 32),  -- SHA-256 of the secret, kept nowhere
      issuer          text not null,
      subject         text not null,
      user_id         text not null,
      name            text,
      email           text,
      permissions     text[] not null,          -- by the claims alone
      tenant_unit_ids text[],                   -- null: all
      dataset_ids     text[],                   -- null: all
      sealed_secret   bytea not null,           -- tokens of the provider, under a key that is made of the secret
      refreshed_time  timestamptz not null,     -- when the provider vouched for the user last
      lease_end_time  timestamptz,              -- until then, one process asks it again
      retry_time      timestamptz,              -- it did not answer, and is not asked before
      created_time    timestamptz not null,
      expires_time    timestamptz not null,     -- moves on with each use
      primary key (tenant_id, id)
    )
  `.execute(db);
  // The tenant of a request is that of its session.
  await sql`create index on user_sessions (id)`.execute(db);
  await sql`create index on user_sessions (tenant_id, user_id, expires_time)`.execute(db);
  await sql`create index on user_sessions (expires_time)`.execute(db);
  await protectTables(db, { user_sessions: 'select, insert, update, delete' });
}
