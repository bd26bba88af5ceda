/**
 * Where the rows of a table are in a cluster: on the `shard` of their tenant; on all nodes as a `reference`; on the
 * `coordinator`, known to Citus, so that transactions that also write a shard commit as one; or `local`, on the
 * coordinator, where Citus takes no part.
 */
export type Placement = 'shard' | 'reference' | 'coordinator' | 'local';

interface Choice {
  placement: Placement;
  why: string;
}

const TENANT_DATA = 'What a tenant has; read and written with its id alone, beside its other rows.';
const COUNTED = 'Written in the transaction of what it counts, and folded tenant by tenant.';
const CLAIMED = 'Claimed across tenants with row locks, which no shard can do for another.';
const BEFORE_THE_TENANT = 'Looked up before the tenant is known.';

const choices = {
  audit_events: shard(TENANT_DATA),
  chunk_drafts: shard(TENANT_DATA),
  chunk_terms: shard(TENANT_DATA),
  chunk_texts: shard(TENANT_DATA),
  chunks: shard(TENANT_DATA),
  conversation_counts: shard('Counted tenant by tenant, beside the index of messages.'),
  conversation_days: shard(TENANT_DATA),
  conversation_labels: shard(TENANT_DATA),
  conversation_reviews: shard(TENANT_DATA),
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
  extracted_pictures: shard(TENANT_DATA),
  extraction_usage: shard('Written with extracted_pictures.'),
  idempotency_keys: shard('Written in the transaction whose result it keeps.'),
  labels: shard(TENANT_DATA),
  list_changes: shard(COUNTED),
  list_counter_ranges: shard(COUNTED),
  list_counters: shard(COUNTED),
  members: shard(TENANT_DATA),
  messages: shard(TENANT_DATA),
  message_changes: shard('Written with the messages; the indexer takes those of one tenant.'),
  message_terms: shard(TENANT_DATA),
  posting_changes: shard('Read with the segments in one snapshot; a merge takes those of one tenant.'),
  posting_lists: shard(TENANT_DATA),
  posting_segment_documents: shard(TENANT_DATA),
  posting_segment_metadata: shard(TENANT_DATA),
  posting_segments: shard(TENANT_DATA),
  posting_words: shard(TENANT_DATA),
  retention_rules: shard(TENANT_DATA),
  search_synonyms: shard(TENANT_DATA),
  tenant_usage: shard(COUNTED),
  tenant_usage_changes: shard(COUNTED),
  user_erasures: shard(TENANT_DATA),

  embedding_models: { placement: 'reference', why: 'A few rows that statements on shards join.' },

  api_keys: coordinator(BEFORE_THE_TENANT),
  sessions: coordinator(BEFORE_THE_TENANT),
  user_sessions: coordinator(BEFORE_THE_TENANT),
  embedding_queue: coordinator(CLAIMED),
  embedding_usage: coordinator('Written with embedding_queue.'),
  processing_jobs: coordinator(CLAIMED),
  search_outbox: coordinator(CLAIMED),
  search_replay: coordinator(CLAIMED),
  uploads: coordinator('Files of all tenants expire together, each with a request to the storage.'),
  webhook_deliveries: coordinator(CLAIMED),
  webhook_subscriptions: coordinator('Claims of webhook_deliveries join them.'),

  activity_minutes: local('Stored by each process for all tenants at once.'),
  kysely_migration: local('Read by migrations alone.'),
  kysely_migration_lock: local('Read by migrations alone.'),
  last_backup: local('One row, which backups write.'),
  rate_buckets: local('Leased before the tenant is known, in transactions of their own.'),
  restore_in_progress: local('There while a restore runs.'),
  search_index: local('One row, which is locked.'),
} satisfies Record<string, Choice>;

/** The placement of each table, partitions excepted, which are where their table is; and why. */
export const layout: Readonly<Record<string, Choice>> = choices;

function shard(why: string): Choice {
  return { placement: 'shard', why };
}

function coordinator(why: string): Choice {
  return { placement: 'coordinator', why };
}

function local(why: string): Choice {
  return { placement: 'local', why };
}

/** @throws Error for a table that the layout lacks */
export function placementOf(table: string): Placement {
  const choice = layout[table];
  if (!choice) throw new Error(`The layout of a cluster has no table "${table}".`);
  return choice.placement;
}
