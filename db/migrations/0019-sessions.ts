import { type Kysely, sql } from 'kysely';
import { protectTables } from './protect-tables.js';

/** Sessions of people in a browser: each stands for the API key that it was made with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sessions (
      tenant_id    identifier not null,
      id           identifier not null,      -- public: a part of the cookie
      secret_hash  bytea not null check (octet_length(secret_hash) = 32),  -- SHA-256 of the secret, kept nowhere
      key_id       identifier not null,
      created_time timestamptz not null,
      expires_time timestamptz not null,     -- moves on with each use
      primary key (tenant_id, id),
      foreign key (tenant_id, key_id) references api_keys (tenant_id, id) on delete cascade
    );
    -- The tenant of a request is that of its session.
    create index on sessions (id);
    create index on sessions (tenant_id, key_id, expires_time);
    create index on sessions (expires_time);
  `.execute(db);
  await protectTables(db, { sessions: 'select, insert, delete' });
}
