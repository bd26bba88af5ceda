import { Counter, Histogram, type Registry } from 'prom-client';

/** Seconds. */
const BUCKETS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];

export interface SearchMetrics {
  answered(search: { engine: string; mode: string; isTruncated: boolean; seconds: number }): void;
  failed(): void;
}

export function createSearchMetrics(registry: Registry): SearchMetrics {
  const duration = new Histogram({
    name: 'lectern_search_duration_seconds',
    help: 'Searches that were answered, by engine and mode (lexical, hybrid, semantic), and how long they took.',
    labelNames: ['engine', 'mode'] as const,
    buckets: BUCKETS,
    registers: [registry],
  });
  const truncated = new Counter({
    name: 'lectern_searches_truncated_total',
    help: 'Searches that matched more than one search may read.',
    labelNames: ['engine'] as const,
    registers: [registry],
  });
  const failed = new Counter({
    name: 'lectern_searches_failed_total',
    help: 'Searches that could not be answered.',
    registers: [registry],
  });
  return {
    answered({ engine, mode, isTruncated, seconds }) {
      duration.observe({ engine, mode }, seconds);
      if (isTruncated) truncated.inc({ engine });
    },
    failed: () => failed.inc(),
  };
}
