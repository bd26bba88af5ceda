import { Counter, type Registry } from 'prom-client';

/** Outages of the file storage, as this process saw them. */
export function createStorageMetrics(registry: Registry) {
  const failures = new Counter({
    name: 'lectern_storage_failures_total',
    help: 'Writes, reads and removals of files that failed in the file storage.',
    labelNames: ['operation'] as const,
    registers: [registry],
  });
  for (const operation of ['write', 'read', 'remove']) failures.inc({ operation }, 0);
  return { onFailure: (operation: string) => failures.inc({ operation }) };
}
