import { layout } from '../cluster/layout.js';

/** Every table whose rows belong to a tenant: those with a column `tenant_id`. */
export const tenantTables: ReadonlySet<string> = new Set([
  'activity_minutes',
  'api_keys',
  'audit_events',
  'chunk_drafts',
  'chunk_terms',
  'chunk_texts',
  'chunks',
  'conversation_counts',
  'conversation_days',
  'conversation_labels',
  'conversation_reviews',
  'conversation_status_changes',
  'conversations',
  'dataset_searches',
  'document_datasets',
  'document_names',
  'document_properties',
  'document_sources',
  'documents',
  'embedding_queue',
  'embedding_usage',
  'embeddings',
  'evaluation_questions',
  'evaluation_runs',
  'extracted_pictures',
  'extraction_usage',
  'idempotency_keys',
  'labels',
  'list_changes',
  'list_counter_ranges',
  'list_counters',
  'members',
  'messages',
  'message_changes',
  'message_terms',
  'posting_changes',
  'posting_lists',
  'posting_segment_documents',
  'posting_segment_metadata',
  'posting_segments',
  'posting_words',
  'processing_jobs',
  'retention_rules',
  'search_outbox',
  'search_replay',
  'search_synonyms',
  'sessions',
  'tenant_usage',
  'tenant_usage_changes',
  'uploads',
  'user_erasures',
  'user_sessions',
  'webhook_deliveries',
  'webhook_subscriptions',
]);

/** Whether a table belongs to tenants: one of those, or a partition of one. */
export const isTenantTable = (name: string): boolean => tenantTables.has(name) || isPartition(name);

/** Whether a cluster has the rows of a table on the shard of their tenant. */
export const isOnShard = (name: string): boolean =>
  layout[isPartition(name) ? 'audit_events' : name]?.placement === 'shard';

/** Whether a cluster has a table on its coordinator alone. */
export const isOnCoordinator = (name: string): boolean =>
  ['coordinator', 'local'].includes(layout[name]?.placement ?? '');

const isPartition = (name: string): boolean => name.startsWith('audit_events_');
