import { type Kysely, sql } from 'kysely';

/** Chunks keep what was split off when they are edited; audit events name the document that a chunk is of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Stored by the first edit. Null before it, and where the first edit was before this.
    alter table chunks
      add column original_content  text,
      add column original_keywords json;
    alter table audit_events add column parent_id text;  -- of a chunk: its document
    create index on audit_events (tenant_id, parent_id, id desc) where parent_id is not null;
  `.execute(db);
}
