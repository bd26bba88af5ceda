/**
 * Where the rows of a table are in a cluster: on the `shard` of their tenant, on the `coordinator`, or on all nodes as a
 * `reference`.
 */
export type Placement = 'shard' | 'coordinator' | 'reference';

interface Choice {
  placement: Placement;
  why: string;
}

const TENANT_DATA = 'What a tenant has; read and written with its id alone, beside its other rows.';
const ACROSS_TENANTS = 'Claimed or pruned across tenants with row locks, which no shard can do for another.';
const BEFORE_THE_TENANT = 'Looked up before the tenant is known.';

const choices = {
  audit_events: shard(TENANT_DATA),
  chunk_drafts: shard(TENANT_DATA),
  chunk_terms: shard(TENANT_DATA),
  chunk_texts: shard(TENANT_DATA),
  chunks: shard(TENANT_DATA),
  conversation_status_changes: shard(TENANT_DATA),
  conversations: shard(TENANT_DATA),
  document_datasets: shard(TENANT_DATA),
  document_names: shard(TENANT_DATA),
  document_properties: shard(TENANT_DATA),
  document_sources: shard(TENANT_DATA),
  documents: shard(TENANT_DATA),
  embeddings: shard(TENANT_DATA),
  evaluation_questions: shard(TENANT_DATA),
  evaluation_runs: shard(TENANT_DATA),
  messages: shard(TENANT_DATA),
  posting_changes: shard('Read with the segments in one snapshot; a merge takes those of one tenant.'),
  posting_lists: shard(TENANT_DATA),
  posting_segment_documents: shard(TENANT_DATA),
  posting_segments: shard(TENANT_DATA),
  posting_words: shard(TENANT_DATA),
  search_synonyms: shard(TENANT_DATA),

  embedding_models: { placement: 'reference', why: 'A few rows that statements on shards join.' },

  api_keys: coordinator(BEFORE_THE_TENANT),
  sessions: coordinator(BEFORE_THE_TENANT),
  processing_jobs: coordinator(ACROSS_TENANTS),
  webhook_deliveries: coordinator(ACROSS_TENANTS),
  webhook_subscriptions: coordinator('A foreign key of webhook_deliveries, which claims join.'),
  search_outbox: coordinator(ACROSS_TENANTS),
  search_replay: coordinator(ACROSS_TENANTS),
  embedding_queue: coordinator(ACROSS_TENANTS),
  embedding_usage: coordinator('Written with embedding_queue.'),
  tenant_usage: coordinator('Rolled up across tenants.'),
  tenant_usage_changes: coordinator('Rolled up across tenants.'),
  list_changes: coordinator('Rolled up across tenants; lists of open mode are of all tenants.'),
  list_counters: coordinator('Rolled up across tenants; lists of open mode are of all tenants.'),
  list_counter_ranges: coordinator('Rolled up across tenants; lists of open mode are of all tenants.'),
  idempotency_keys: coordinator(ACROSS_TENANTS),
  uploads: coordinator(ACROSS_TENANTS),
  activity_minutes: coordinator('Stored by each process for all tenants at once.'),
  rate_buckets: coordinator(BEFORE_THE_TENANT),
  search_index: coordinator('One row, which is locked.'),
  kysely_migration: coordinator('Read by migrations alone.'),
  kysely_migration_lock: coordinator('Read by migrations alone.'),
} satisfies Record<string, Choice>;

/** The placement of each table, partitions excepted, which are where their table is; and why. */
export const layout: Readonly<Record<string, Choice>> = choices;

function shard(why: string): Choice {
  return { placement: 'shard', why };
}

function coordinator(why: string): Choice {
  return { placement: 'coordinator', why };
}
