import { type Kysely, sql } from 'kysely';

/** Documents say what of their source their chunks lack. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Set with the chunks, and kept as long as they are.
    alter table documents add column warnings jsonb not null default '[]';
    create index on documents (tenant_id, created_time desc, id desc) where warnings <> '[]';
  `.execute(db);
}
