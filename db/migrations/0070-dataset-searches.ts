import { type Kysely, sql } from 'kysely';
import { protectTables } from './protect-tables.js';

/** How often each dataset was searched. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table dataset_searches (
      tenant_id      identifier not null,
      dataset_id     identifier not null,
      day            timestamptz not null,        -- its start, in UTC
      tenant_unit_id identifier not null,         -- empty where a search was not of one unit
      process        text collate "C" not null,   -- since its start
      searches       bigint not null,
      primary key (tenant_id, dataset_id, day, tenant_unit_id, process)
    )
  `.execute(db);
  await sql`create index on dataset_searches (day)`.execute(db);
  await protectTables(db, { dataset_searches: 'select' });
}
