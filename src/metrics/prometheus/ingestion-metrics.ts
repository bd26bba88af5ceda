import { Counter, Histogram, type Registry } from 'prom-client';
import type { CountedDocuments } from '../activity.js';

/** Seconds. */
const BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 1_800];

export function createIngestionMetrics(registry: Registry) {
  const processed = new Counter({
    name: 'lectern_documents_processed_total',
    help: 'Documents whose processing ended, by file type, outcome (ready, failed) and the code of the failure.',
    labelNames: ['type', 'outcome', 'code'] as const,
    registers: [registry],
  });
  const chunks = new Counter({
    name: 'lectern_chunks_made_total',
    help: 'Chunks of documents that became ready.',
    registers: [registry],
  });
  const stages = new Histogram({
    name: 'lectern_document_stage_duration_seconds',
    help: 'How long documents were in each stage of processing, without those that are processed in one batch with others.',
    labelNames: ['stage'] as const,
    buckets: BUCKETS,
    registers: [registry],
  });
  return {
    count({
      ready = 0,
      failed = 0,
      chunks: made = 0,
      type = 'unknown',
      code = '',
      stageMs = {},
    }: CountedDocuments) {
      if (ready > 0) processed.inc({ type, outcome: 'ready', code: '' }, ready);
      if (failed > 0) processed.inc({ type, outcome: 'failed', code }, failed);
      chunks.inc(made);
      for (const [stage, ms] of Object.entries(stageMs)) stages.observe({ stage }, ms / 1000);
    },
  };
}
