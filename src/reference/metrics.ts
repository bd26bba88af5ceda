import { createBacklogMetrics } from '../metrics/prometheus/backlog-metrics.js';
import { createMetrics } from '../metrics/prometheus/metrics.js';
import { createPoolMetrics } from '../metrics/prometheus/pool-metrics.js';
import { code, formatPage, table } from './markdown.js';

/** What prom-client keeps of a metric beside what it tells. */
interface Metric {
  name: string;
  help: string;
  type: string;
  labelNames: string[];
}

/** The page about the metrics of Lectern. Those of the process depend on the platform. */
export function metricsPage(): string {
  const { registry } = createMetrics();
  createPoolMetrics(registry, {});
  createBacklogMetrics(registry, () => Promise.reject(new Error('Nothing is measured.')));
  const metrics = (registry.getMetricsAsArray() as unknown as Metric[])
    .filter(({ name }) => name.startsWith('lectern_'))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const rows = metrics.map(({ name, type, labelNames, help }) => [
    code(name),
    type,
    labelNames.map(code).join(', '),
    help,
  ]);
  registry.clear();
  return formatPage({
    title: 'Metrics',
    introduction:
      '`GET /metrics` serves these metrics in the text format of Prometheus, and the process metrics of prom-client (`process_*`, `nodejs_*`). With `METRICS_PORT`, they have their own port, without authentication. Otherwise, they need a key with the permission `operations`. Tenants are not labels.',
    sections: [
      table(['Metric', 'Type', 'Labels', 'Meaning'], rows),
      'A histogram has the series `_bucket`, `_sum` and `_count`; its unit is in its name.',
    ],
  });
}
