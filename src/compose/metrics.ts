import type { Config } from '../config/config.js';
import type { MetricsText } from '../http/metrics/serve-metrics.js';
import type { Activity, CountDocuments } from '../metrics/activity.js';
import { createBacklogMetrics } from '../metrics/prometheus/backlog-metrics.js';
import { createMetrics } from '../metrics/prometheus/metrics.js';
import { createPoolMetrics } from '../metrics/prometheus/pool-metrics.js';
import { createReadBacklogs } from '../metrics/read-backlogs.js';
import type { Databases } from './databases.js';
import { retentionRules } from './sweeps.js';

interface MetricsDependencies {
  databases: Databases;
  activity: Activity;
}

/** What the process measures, and how it is read. */
export function createServerMetrics(config: Config, { databases, activity }: MetricsDependencies) {
  const { registry, ingestion, ...metrics } = createMetrics();
  const { requests, search, background } = databases;
  createPoolMetrics(registry, { requests: requests.pool, search: search.pool, background: background.pool });
  const quotas = { ...config.quotas, extractedPages: config.extraction?.pageQuota };
  const readBacklogs = createReadBacklogs(background.db, quotas, retentionRules(config));
  const updateBacklogMetrics = createBacklogMetrics(registry, readBacklogs);
  const text: MetricsText = {
    contentType: registry.contentType,
    async read() {
      await updateBacklogMetrics();
      return registry.metrics();
    },
  };
  const countDocuments: CountDocuments = (tenantId, counted) => {
    activity.countDocuments(tenantId, counted);
    ingestion.count(counted);
  };
  return { ...metrics, text, countDocuments, readBacklogs };
}
