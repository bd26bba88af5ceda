import type { Database } from '../../db/schema.js';
import type { Config } from '../config/config.js';
import { deleteLeftDrafts, removeLeftFiles } from '../ingestion/sweep.js';
import { ACTIVITY_RETENTION_MS, DATASET_SEARCHES_RETENTION_MS } from '../metrics/store-counts.js';
import { deleteExpired, type RetentionRule } from '../retention/expired-rows.js';
import type { Sweep } from '../retention/sweeper.js';
import { createSweepUnusedVectors } from '../search/embedding/retired-models.js';
import { emptyAbandonedQueues } from '../search/indexing/abandoned-queues.js';
import { maintainPartitions } from '../services/audit/partitions/maintain.js';
import { sweepFiles } from '../services/files/sweep-files.js';
import { deleteExpiredConversations } from '../services/retention/delete-expired-conversations.js';
import { IDEMPOTENCY_RETENTION_MS } from '../services/shared/idempotency.js';
import type { FileStorage } from '../storage/file-storage.js';
import { forgetFormerSecrets } from '../webhook-delivery/sweep.js';
import type { Guards } from './request-guards.js';

interface SweepsDependencies {
  db: Database;
  storage: FileStorage;
  guards: Guards;
  tempDir: string;
  clock: () => Date;
}

/** How long rows of tables that only grow are kept. Time limits of other tables are in the code of their areas. */
export const retentionRules = ({ retention }: Pick<Config, 'retention'>): RetentionRule[] => [
  { table: 'webhook_deliveries', column: 'created_time', keepMs: retention.deliveriesMs },
  { table: 'idempotency_keys', column: 'created_time', keepMs: IDEMPOTENCY_RETENTION_MS },
  { table: 'activity_minutes', column: 'minute', keepMs: ACTIVITY_RETENTION_MS },
  { table: 'dataset_searches', column: 'day', keepMs: DATASET_SEARCHES_RETENTION_MS },
  { table: 'sessions', column: 'expires_time', keepMs: 0 },
  { table: 'user_sessions', column: 'expires_time', keepMs: 0 },
];

/** Everything that is deleted by itself. */
export function createSweeps(
  config: Pick<Config, 'retention'>,
  { db, storage, guards, tempDir, clock }: SweepsDependencies,
): Sweep[] {
  const { auditMs } = config.retention;
  const sweepVectors = createSweepUnusedVectors(db);
  return [
    { what: 'audit_events', prune: () => maintainPartitions(db, { keepMs: auditMs, clock }) },
    ...retentionRules(config).map((rule) => ({
      what: rule.table,
      prune: () => deleteExpired(db, rule, clock),
    })),
    { what: 'conversations', prune: () => deleteExpiredConversations(db, clock) },
    { what: 'rate_buckets', prune: () => guards.sweep() },
    { what: 'webhook_subscriptions', prune: () => forgetFormerSecrets(db, clock()) },
    { what: 'chunk_drafts', prune: () => deleteLeftDrafts(db) },
    { what: 'embeddings', prune: sweepVectors },
    { what: 'search_outbox', prune: () => emptyAbandonedQueues(db) },
    { what: 'files', prune: () => sweepFiles({ db, storage, clock }) },
    { what: 'temporary_files', prune: () => removeLeftFiles({ tempDir, clock }) },
  ];
}
