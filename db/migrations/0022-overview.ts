import { type Kysely, sql } from 'kysely';
import { protectTables } from './protect-tables.js';

/** What the overview of a tenant is read from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The datasets of a unit, and the units of a dataset. With the document, as whether one is in a dataset is looked up here, too:
    -- without it, the planner may read all of a dataset for each document.
    create index on document_datasets (tenant_id, tenant_unit_id, dataset_id, document_id);

    -- What each process has counted, for two days.
    create table activity_minutes (
      tenant_id        identifier not null,
      minute           timestamptz not null,       -- its start
      process          text collate "C" not null,  -- since its start
      documents_ready  bigint not null,
      documents_failed bigint not null,
      chunks           bigint not null,            -- of documents that became ready
      searches         bigint not null,
      searches_failed  bigint not null,
      search_latencies bigint[] not null,          -- of answered searches: how many in each bucket
      primary key (tenant_id, minute, process)
    );
    create index on activity_minutes (minute);

    alter table processing_jobs add column queued_time timestamptz not null default now();
  `.execute(db);
  await protectTables(db, { activity_minutes: 'select' });
}
