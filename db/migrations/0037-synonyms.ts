import { type Kysely, sql } from 'kysely';
import { protectTables } from './protect-tables.js';

/** Words that a tenant's searches take for each other. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table search_synonyms (
      tenant_id      identifier not null,
      tenant_unit_id identifier not null,
      id             identifier not null,
      dataset_ids    text[],                  -- null: all of the unit
      terms          text[] not null,         -- of which a question has one
      replacements   text[],                  -- that are searched then; null: the other terms
      created_time   timestamptz not null,
      created_by     text,
      updated_time   timestamptz not null,
      updated_by     text,
      primary key (tenant_id, id)
    );
    create index on search_synonyms (tenant_id, tenant_unit_id, created_time, id);

    -- Whether its searches used them.
    alter table evaluation_runs add column synonyms boolean not null default true;
  `.execute(db);
  await protectTables(db, { search_synonyms: 'select, insert, update, delete' });
}
