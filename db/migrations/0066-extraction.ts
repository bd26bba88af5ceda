import { type Kysely, sql } from 'kysely';
import { protectTables } from './protect-tables.js';

/** What extraction engines have read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table extracted_pictures (
      tenant_id    identifier not null,
      document_id  identifier not null,
      key          text collate "C" not null,   -- SHA-256 of what the picture shows, in base64url
      engine       text not null,               -- with its model and languages
      media_type   text not null,               -- of the texts
      pages        jsonb not null,              -- texts, as the engine gave them
      created_time timestamptz not null default now(),
      primary key (tenant_id, document_id, key),
      foreign key (tenant_id, document_id) references documents (tenant_id, id) on delete cascade
    )
  `.execute(db);
  // The same picture may be in other documents of the tenant.
  await sql`create index on extracted_pictures (tenant_id, key)`.execute(db);
  await sql`
    create table extraction_usage (
      tenant_id identifier primary key,
      pages     bigint not null                 -- that an engine has read, also for documents that are gone
    )
  `.execute(db);
  await protectTables(db, {
    extracted_pictures: 'select, insert, update, delete',
    extraction_usage: 'select, insert, update, delete',
  });
}
