import { type Kysely, sql } from 'kysely';
import { protectTables } from './protect-tables.js';

/** Questions with the chunks that a search should find, and what searches of all of a collection's reached. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table evaluation_questions (
      tenant_id      identifier not null,
      tenant_unit_id identifier not null,
      id             identifier not null,
      collection     identifier not null,
      query          text not null,
      language       text not null,
      dataset_ids    text[] not null,
      expected       jsonb not null,          -- [{"documentId", "chunkId", "grade"}]: chunks may be gone since
      created_time   timestamptz not null,
      updated_time   timestamptz not null,
      primary key (tenant_id, id)
    );
    create index on evaluation_questions (tenant_id, tenant_unit_id, collection, created_time, id);

    create table evaluation_runs (
      tenant_id      identifier not null,
      tenant_unit_id identifier not null,
      id             identifier not null,
      collection     identifier not null,
      asked_mode     text,                    -- null: as configured
      modes          text[] not null,         -- in which questions were answered
      engines        text[] not null,
      dataset_ids    text[] not null,         -- of all its questions
      questions      integer not null,
      expected       integer not null,        -- chunks
      gone           integer not null,        -- of those
      ndcg_at10      double precision not null,
      recall_at5     double precision not null,
      duration_ms    double precision not null,
      created_time   timestamptz not null,
      primary key (tenant_id, id)
    );
    create index on evaluation_runs (tenant_id, tenant_unit_id, collection, created_time, id);
  `.execute(db);
  await protectTables(db, {
    evaluation_questions: 'select, insert, update, delete',
    evaluation_runs: 'select, insert, delete',
  });
}
