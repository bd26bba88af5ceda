import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { useApp } from '../support/app.js';

const scope = { tenantId: 'acme', tenantUnitId: 'legal' };

async function read(address: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${address}/metrics`, { headers });
  const text = await response.text();
  const samples = text.split('\n').filter((line) => line.startsWith('lectern_'));
  /** Labels in any order. */
  const value = (name: string, labels: Record<string, string> = {}) => {
    const [first, ...others] = samples.filter((line) => {
      const [, found, given = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
      const wanted = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
      return (
        found === name &&
        [...given.matchAll(/\w+="[^"]*"/g)].map(String).sort().join() === wanted.sort().join()
      );
    });
    expect(others).toEqual([]);
    return first === undefined ? undefined : Number(first.split(' ').at(-1));
  };
  return { status: response.status, type: response.headers.get('content-type'), text, value };
}

describe('metrics', () => {
  const app = useApp({ quotas: { documents: 2, chunks: 1_000, bytes: undefined } });
  const metric = async (name: string, labels: Record<string, string>) =>
    (await read(app.address)).value(name, labels);

  test('follow the conventions of Prometheus', async () => {
    const { status, type, text } = await read(app.address);
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    const names = [...text.matchAll(/^# TYPE (lectern_\w+) (\w+)$/gm)].map(([, name, kind]) => [name, kind]);
    expect(names.map(([name]) => name)).toEqual([...new Set(names.map(([name]) => name))]);
    expect(names.length).toBeGreaterThan(10);
    for (const [name, kind] of names) {
      expect(text).toMatch(new RegExp(`^# HELP ${name} [A-Z].*\\.$`, 'm'));
      expect([name, /_total$/.test(String(name))]).toEqual([name, kind === 'counter']);
      expect(name).not.toMatch(/_(ms|milliseconds|minutes|kib|percent)(_|$)/);
    }
  });

  test('count requests by route, method and status', async () => {
    await app.get('/admin/api/v1/documents/missing-1', { tenantId: 'acme', tenantUnitId: 'legal' });
    await app.get('/admin/api/v1/documents/missing-2', { tenantId: 'acme', tenantUnitId: 'legal' });
    await app.get('/admin/api/v1/no/such/path');
    await app.trpc().documents.list.query({ scope });
    await app.request('GET', '/trpc/no.such.procedure');
    const count = (labels: Record<string, string>) =>
      metric('lectern_http_request_duration_seconds_count', { method: 'GET', ...labels });
    // A request is counted when its connection is free again.
    await expect.poll(() => count({ route: 'none', status: '404' })).toBe(2);
    expect(await count({ route: '/admin/api/v1/documents/{documentId}', status: '404' })).toBe(2);
    expect(await count({ route: '/trpc/documents.list', status: '200' })).toBe(1);
  });

  test('count documents, searches, deliveries and what waits', async () => {
    await app.trpc().documents.create.mutate({
      scope,
      documentType: 'UnstructuredFile',
      datasetIds: ['contracts'],
      documentContent: 'The deposit is paid back within thirty days.',
    });
    await app.trpc().documents.create.mutate({
      scope,
      documentType: 'UnstructuredFile',
      url: 'http://nowhere.invalid/',
    });
    await app.settle();
    await app.trpc().search.run.query({ scope, datasetIds: ['contracts'], query: 'deposit' });
    const processed = (labels: Record<string, string>) => metric('lectern_documents_processed_total', labels);
    // Counted after they are committed.
    await expect.poll(() => processed({ type: 'txt', outcome: 'ready', code: '' })).toBe(1);
    await expect.poll(() => processed({ type: 'unknown', outcome: 'failed', code: 'unreachable' })).toBe(1);
    const { value } = await read(app.address);
    expect(value('lectern_chunks_made_total')).toBe(1);
    expect(value('lectern_search_duration_seconds_count', { engine: 'postgres', mode: 'lexical' })).toBe(1);
    expect(value('lectern_searches_failed_total')).toBe(0);
    expect(value('lectern_database_up')).toBe(1);
    expect(value('lectern_backlog_entries', { queue: 'webhooks' })).toBe(0);
    expect(value('lectern_tenants_by_quota_used', { resource: 'chunks', at_least: '0.9' })).toBe(0);
    // Usage is rolled up in the background, and what waits is read every few seconds.
    const atQuota = () => metric('lectern_tenants_by_quota_used', { resource: 'documents', at_least: '1' });
    await expect.poll(atQuota).toBe(1);
    expect(value('lectern_database_connections_awaited', { pool: 'requests' })).toBe(0);
  });
});

describe('metrics with keys', () => {
  const app = useApp({ authMode: 'required' });

  test('are for keys with the permission operations', async () => {
    const bearer = async (scopes: ('operations' | 'search')[]) => {
      const { key } = await app.makeKey({ scopes });
      return { authorization: `Bearer ${key}` };
    };
    expect((await read(app.address)).status).toBe(401);
    const refused = await read(app.address, await bearer(['search']));
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      403,
      {
        detail: [
          { type: 'forbidden', loc: [], msg: 'The metrics are for keys with the permission operations.' },
        ],
      },
    ]);
    const { status, value } = await read(app.address, await bearer(['operations']));
    expect([status, value('lectern_database_up')]).toEqual([200, 1]);
  });
});

describe('metrics on a port of their own', () => {
  const { metrics } = readConfig({ METRICS_PORT: '0' });
  const app = useApp({ authMode: 'required', metrics });

  test('need no key, and are there alone', async () => {
    const own = app.app.metricsAddress as string;
    expect((await read(own)).status).toBe(200);
    expect((await fetch(`${own}/admin/api/v1/documents`)).status).toBe(404);
    const { key } = await app.makeKey();
    const { status } = await read(app.address, { authorization: `Bearer ${key}` });
    expect(status).toBe(404);
  });
});
