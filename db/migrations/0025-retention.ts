import { type Kysely, sql } from 'kysely';

/** What the retention deletes in batches is found by an index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index on list_counters (asked_time);
    create index on webhook_subscriptions (former_secret_until) where former_secret_until is not null;
    -- Drafts are few, and deleted at once: what a batch has deleted must not be read again by all that follow.
    alter table chunk_drafts set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
  `.execute(db);
}
