import { type Kysely, sql } from 'kysely';

/**
 * On a cluster the queue is on the coordinator, and documents are on shards, between which no foreign key can be: whoever
 * deletes a document deletes its job.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table processing_jobs drop constraint processing_jobs_tenant_id_document_id_fkey`.execute(
    db,
  );
}
