/** Every table whose rows belong to a tenant: those with a column `tenant_id`. */
export const tenantTables: ReadonlySet<string> = new Set([
  'api_keys',
  'audit_events',
  'chunk_drafts',
  'chunk_terms',
  'chunks',
  'conversation_status_changes',
  'conversations',
  'corpus_statistics',
  'document_datasets',
  'document_sources',
  'documents',
  'idempotency_keys',
  'messages',
  'tenant_usage',
  'webhook_deliveries',
  'webhook_subscriptions',
]);
