import { type Kysely, sql } from 'kysely';
import { protectTables } from './protect-tables.js';

/**
 * Every key of a tenant-owned table begins with the tenant, so that the tables can be distributed by it: PostgreSQL
 * sharded by tenant demands that of each primary key, unique index and foreign key. Where a request may name an id
 * without its tenant, a plain index finds it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await leadConversations(db);
  await leadChunks(db);
  await leadPostings(db);
  await leadQueues(db);
  await leadKeysAndFiles(db);
}

async function leadConversations(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table conversation_status_changes drop constraint conversation_status_changes_conversation_id_fkey;
    alter table messages drop constraint messages_conversation_id_fkey;
    alter table conversations drop constraint conversations_pkey, add primary key (tenant_id, id);
    create index on conversations (id);

    alter table conversation_status_changes
      drop constraint conversation_status_changes_pkey,
      add primary key (tenant_id, id),
      add foreign key (tenant_id, conversation_id) references conversations (tenant_id, id) on delete cascade;
    drop index conversation_status_changes_conversation_id_id_idx;
    create index on conversation_status_changes (tenant_id, conversation_id, id);

    alter table messages
      drop constraint messages_pkey,
      add primary key (tenant_id, id),
      add foreign key (tenant_id, conversation_id) references conversations (tenant_id, id) on delete cascade;
    drop index messages_conversation_id_requested_time_id_tenant_id_tenant_idx;
    create index on messages (tenant_id, conversation_id, requested_time, id) include (tenant_unit_id);
  `.execute(db);
}

async function leadChunks(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table chunks drop constraint chunks_pkey, add primary key (tenant_id, id);
    create index on chunks (id);
    -- The cascade from documents uses the index that begins with the tenant.
    drop index chunks_document_id_idx;
    alter table chunk_terms drop constraint chunk_terms_pkey, add primary key (tenant_id, chunk_id);
  `.execute(db);
}

async function leadPostings(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table posting_lists drop constraint posting_lists_segment_id_fkey;
    alter table posting_segment_documents drop constraint posting_segment_documents_segment_id_fkey;
    alter table posting_segments drop constraint posting_segments_pkey, add primary key (tenant_id, id);
    alter table posting_lists
      drop constraint posting_lists_pkey,
      add primary key (tenant_id, segment_id, key),
      add foreign key (tenant_id, segment_id) references posting_segments (tenant_id, id) on delete cascade;
    drop index posting_segment_documents_segment_id_idx;
    create index on posting_segment_documents (tenant_id, segment_id);
    alter table posting_segment_documents
      add foreign key (tenant_id, segment_id) references posting_segments (tenant_id, id) on delete cascade;

    drop index posting_changes_tenant_id_id_idx;
    alter table posting_changes drop constraint posting_changes_pkey, add primary key (tenant_id, id);
  `.execute(db);
}

/** What waits for the search index knows its tenant. Of a chunk that is gone nobody does: its tenant is empty. */
async function leadQueues(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table search_outbox add column tenant_id identifier;
    update search_outbox as o set tenant_id = coalesce((select c.tenant_id from chunks as c where c.id = o.chunk_id), '');
    alter table search_outbox
      alter column tenant_id set not null,
      drop constraint search_outbox_pkey,
      add primary key (tenant_id, chunk_id);
    -- Searches read the newest changes of their tenant.
    drop index search_outbox_revision_idx;
    create index on search_outbox (tenant_id, revision);

    alter table search_replay add column tenant_id identifier;
    update search_replay as r set tenant_id = coalesce((select c.tenant_id from chunks as c where c.id = r.chunk_id), '');
    alter table search_replay
      alter column tenant_id set not null,
      drop constraint search_replay_pkey,
      add primary key (tenant_id, chunk_id);
  `.execute(db);
  await protectTables(db, { search_outbox: undefined, search_replay: 'select' });
}

async function leadKeysAndFiles(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table api_keys drop constraint api_keys_successor_id_fkey;
    alter table api_keys drop constraint api_keys_pkey, add primary key (tenant_id, id);
    alter table api_keys add foreign key (tenant_id, successor_id) references api_keys (tenant_id, id);
    -- The tenant of a request is that of its key.
    create index on api_keys (id);

    drop index uploads_tenant_id_idx;
    alter table uploads drop constraint uploads_pkey, add primary key (tenant_id, id);
    create index on uploads (id);

    drop index audit_events_tenant_id_id_idx;
    alter table audit_events drop constraint audit_events_pkey, add primary key (tenant_id, id);

    alter table webhook_deliveries drop constraint webhook_deliveries_subscription_id_fkey;
    alter table webhook_subscriptions drop constraint webhook_subscriptions_pkey, add primary key (tenant_id, id);
    alter table webhook_deliveries
      drop constraint webhook_deliveries_pkey,
      add primary key (tenant_id, id),
      add foreign key (tenant_id, subscription_id) references webhook_subscriptions (tenant_id, id) on delete cascade;
    drop index webhook_deliveries_subscription_id_next_attempt_time_sequen_idx, webhook_deliveries_subscription_id_idx;
    create index on webhook_deliveries (tenant_id, subscription_id, next_attempt_time, sequence)
      where next_attempt_time is not null;
    create index on webhook_deliveries (tenant_id, subscription_id) where claim is not null;
  `.execute(db);
}
