import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createBacklogMetrics } from '../../src/metrics/prometheus/backlog-metrics.js';
import { createMetrics } from '../../src/metrics/prometheus/metrics.js';
import { createPoolMetrics } from '../../src/metrics/prometheus/pool-metrics.js';

const DASHBOARD = 'ops/grafana/lectern.json';
const ALERTS = 'ops/prometheus/alerts.yml';
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

function namesOfAllSeries(): Set<string> {
  const { registry } = createMetrics();
  createPoolMetrics(registry, {});
  createBacklogMetrics(registry, () => Promise.reject(new Error('is not read')));
  const parts = { histogram: ['_bucket', '_sum', '_count'] } as Record<string, string[]>;
  // The types of the library leave out what its metrics are.
  const metrics = registry.getMetricsAsArray() as unknown as { name: string; type: string }[];
  return new Set(metrics.flatMap(({ name, type }) => (parts[type] ?? ['']).map((part) => name + part)));
}

test.each([DASHBOARD, ALERTS])('%s asks for metrics that there are', (file) => {
  const known = namesOfAllSeries();
  const asked = readFileSync(file, 'utf8').match(/\b(?:lectern|nodejs|process)_[a-z0-9_]+\b/g) ?? [];
  expect(asked.length).toBeGreaterThan(15);
  expect(asked.filter((name) => !known.has(name))).toEqual([]);
});

test('the dashboard has panels with a question each, and none above another', () => {
  const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8'));
  const places = new Set<string>();
  for (const { id, type, title, targets, gridPos } of panels) {
    expect([id, title]).toEqual([expect.any(Number), expect.any(String)]);
    if (type !== 'row') expect(targets.length).toBeGreaterThan(0);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect(places.has(`${x},${y}`)).toBe(false);
        places.add(`${x},${y}`);
      }
  }
});

test('each alert says what to do', () => {
  const alerts = readFileSync(ALERTS, 'utf8').split('- alert: ').slice(1);
  expect(alerts.length).toBeGreaterThan(10);
  for (const alert of alerts) expect(alert).toMatch(/summary: .{10,}\n +action: .{30,}/);
});

test.skipIf(!hasPromtool)('Prometheus takes the alert rules, and they fire when they should', () => {
  const run = (...args: string[]) => spawnSync('promtool', args, { encoding: 'utf8' });
  for (const result of [
    run('check', 'rules', ALERTS),
    run('test', 'rules', 'ops/prometheus/alerts.test.yml'),
    run('check', 'config', '--syntax-only', 'ops/prometheus/scrape.yml'),
  ])
    expect([result.status, result.stderr + (result.status === 0 ? '' : result.stdout)]).toEqual([
      0,
      expect.any(String),
    ]);
});
