import { Gauge, type Registry } from 'prom-client';
import type { ReadBacklogs } from '../read-backlogs.js';

/**
 * What waits in the database, for all processes that share it: each reports the same, so ask for the maximum. It is left out while the database does not answer.
 *
 * @returns reads it anew
 */
export function createBacklogMetrics(registry: Registry, readBacklogs: ReadBacklogs): () => Promise<void> {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const up = gauge(
    'lectern_database_up',
    'Whether the database answered the query for what waits in it.',
    [],
  );
  const jobs = gauge(
    'lectern_jobs',
    'Documents to be processed, by lane (small, large) and state (waiting, retrying, running); 100,000 means 100,000 or more.',
    ['lane', 'state'],
  );
  const oldestJob = gauge(
    'lectern_oldest_job_age_seconds',
    'How long the oldest due job of a lane has waited.',
    ['lane'],
  );
  const entries = gauge(
    'lectern_backlog_entries',
    'Waiting entries, by queue: index (chunks to be sent to the search server), index_rejected (those it refuses), postings, embeddings, embeddings_failed, webhooks; 100,000 means 100,000 or more.',
    ['queue'],
  );
  const age = gauge('lectern_backlog_age_seconds', 'How long the oldest entry of a queue has waited.', [
    'queue',
  ]);
  const quotas = gauge(
    'lectern_tenants_by_quota_used',
    'Tenants that have used at least this share of a quota (at_least: 0.9, 1), by resource.',
    ['resource', 'at_least'],
  );
  const overdue = gauge(
    'lectern_retention_overdue_seconds',
    'How long ago the oldest row of a table should have been deleted.',
    ['table'],
  );
  const auditAhead = gauge(
    'lectern_audit_partitions_ahead_seconds',
    'How far ahead partitions of the audit log exist; at 0, events go to the open partition.',
    [],
  );
  return async () => {
    for (const one of [jobs, oldestJob, entries, age, quotas, overdue]) one.reset();
    const backlogs = await readBacklogs().catch(() => undefined);
    up.set(backlogs ? 1 : 0);
    if (!backlogs) return;
    for (const { lane, oldestAge, ...states } of backlogs.jobs) {
      for (const [state, count] of Object.entries(states)) jobs.set({ lane, state }, count);
      oldestJob.set({ lane }, oldestAge);
    }
    for (const { queue, count, oldestAge } of backlogs.queues) {
      entries.set({ queue }, count);
      if (oldestAge !== null) age.set({ queue }, oldestAge);
    }
    for (const { table, seconds } of backlogs.retention.overdue) overdue.set({ table }, seconds);
    auditAhead.set(Math.max(0, backlogs.retention.auditPartitionsAhead));
    for (const { resource, atLeast, tenants } of backlogs.quotas)
      quotas.set({ resource, at_least: atLeast }, tenants);
  };
}
