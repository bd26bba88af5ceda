import { Counter, type Registry } from 'prom-client';

/** What this process deletes because nobody needs it any more. */
export function createRetentionMetrics(registry: Registry) {
  const pruned = new Counter({
    name: 'lectern_pruned_rows_total',
    help: 'Rows deleted at the end of their retention, by table; also files of the storage.',
    labelNames: ['table'] as const,
    registers: [registry],
  });
  return { onPruned: (table: string, rows: number) => pruned.inc({ table }, rows) };
}
