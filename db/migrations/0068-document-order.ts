import { type Kysely, sql } from 'kysely';

/** Documents in the order of their last change, and of what people call them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index on documents (tenant_id, updated_time desc, id desc)`.execute(db);
  await sql`
    create index documents_by_name on documents (tenant_id, (lower(left(coalesce(
      nullif(document_name, ''), nullif(title, ''), nullif(url, ''), nullif(storage_path, ''), nullif(external_id, ''),
      id), 200) collate "default") collate "C"), id)
  `.execute(db);
}
