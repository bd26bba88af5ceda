import { collectDefaultMetrics, Registry } from 'prom-client';
import { createDeliveryMetrics } from './delivery-metrics.js';
import { createIngestionMetrics } from './ingestion-metrics.js';
import { createRequestMetrics } from './request-metrics.js';
import { createRetentionMetrics } from './retention-metrics.js';
import { createSearchMetrics } from './search-metrics.js';
import { createStorageMetrics } from './storage-metrics.js';

/**
 * What this process counts and measures, for Prometheus. Names and units follow its conventions. Tenants are no labels: there
 * may be any number of them.
 */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // They are gauges, whose names are those of counters.
  for (const kind of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  return {
    registry,
    requests: createRequestMetrics(registry),
    ingestion: createIngestionMetrics(registry),
    searches: createSearchMetrics(registry),
    deliveries: createDeliveryMetrics(registry),
    retention: createRetentionMetrics(registry),
    storage: createStorageMetrics(registry),
  };
}
