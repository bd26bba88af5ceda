import { type Kysely, sql } from 'kysely';

/** Jobs and webhook deliveries go on with the trace of the request that made them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- As in the header of W3C Trace Context; null where the request was not traced.
    alter table processing_jobs add column traceparent text;
    alter table webhook_deliveries add column traceparent text;
  `.execute(db);
}
