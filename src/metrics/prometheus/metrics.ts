import { collectDefaultMetrics, Registry } from 'prom-client';
import { createDeliveryMetrics } from './delivery-metrics.js';
import { createIngestionMetrics } from './ingestion-metrics.js';
import { createRequestMetrics } from './request-metrics.js';
import { createSearchMetrics } from './search-metrics.js';

/**
 * What this process counts and measures, for Prometheus. Names and units follow its conventions. Tenants are no labels: there
 * may be any number of them.
 */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests: createRequestMetrics(registry),
    ingestion: createIngestionMetrics(registry),
    searches: createSearchMetrics(registry),
    deliveries: createDeliveryMetrics(registry),
  };
}
