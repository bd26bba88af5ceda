import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { retentionRules } from '../../src/compose/sweeps.js';
import { readConfig } from '../../src/config/config.js';
import { deleteExpired } from '../../src/retention/expired-rows.js';
import { createSweepUnusedVectors } from '../../src/search/embedding/retired-models.js';
import { emptyAbandonedQueues } from '../../src/search/indexing/abandoned-queues.js';
import { useApp } from '../support/app.js';
import { drain } from '../support/drain.js';

const { retention } = readConfig({ RETENTION_DELIVERIES_DAYS: '10', RETENTION_AUDIT_DAYS: '400' });

async function value(address: string, name: string): Promise<number | undefined> {
  const text = await (await fetch(`${address}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `) || one.startsWith(`${name}{`));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

describe('a server with a backlog', () => {
  const app = useApp({ retention: { ...retention, intervalMs: 100 } });
  const count = async (table: string) => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
      app.db,
    );
    return rows[0]?.count;
  };

  test('deletes what has expired, and nothing else', async () => {
    await sql`
      insert into webhook_subscriptions (id, tenant_id, url, event_types, secret, enabled, created_time, updated_time)
        values ('hook', 'acme', 'https://pages.test', '{}', '', false, now(), now());
      insert into webhook_deliveries (id, tenant_id, subscription_id, event_id, event_type, subject_id, payload, created_time)
        select 'old ' || i, 'acme', 'hook', i, 'document.ready', 'd', '{}', now() - interval '10 days 1 minute'
        from generate_series(1, 2500) as i;
      insert into webhook_deliveries (id, tenant_id, subscription_id, event_id, event_type, subject_id, payload, created_time)
        select 'new ' || i, 'acme', 'hook', i, 'document.ready', 'd', '{}', now() - interval '9 days 23 hours'
        from generate_series(1, 20) as i;
      insert into idempotency_keys (tenant_id, caller, key, fingerprint, result, created_time)
        select 'acme', '', i, '', '', now() - make_interval(secs => case when i <= 10 then 86000 else 86500 + i end)
        from generate_series(1, 2510) as i;
      insert into activity_minutes
        select 'acme', now() - make_interval(mins => case when i <= 10 then 2870 else 2881 + i end), 'p', 0, 0, 0, 0, 0, '{}'
        from generate_series(1, 1510) as i on conflict do nothing;
      insert into dataset_searches
        select 'acme', 'dataset ' || i, now() - make_interval(days => case when i <= 10 then 30 else 32 end), '', 'p', 1
        from generate_series(1, 1510) as i;
      insert into rate_buckets
        select 'bucket ' || i, 1, now(), now() + make_interval(secs => case when i <= 10 then 3600 else -10 - i end)
        from generate_series(1, 2510) as i;
      insert into documents (id, tenant_id, tenant_unit_id, document_type, status, source, created_time, updated_time)
        values ('left', 'acme', 'unit', 'UnstructuredFile', 'ready', 'none', now(), now()),
          ('in progress', 'acme', 'unit', 'UnstructuredFile', 'processing', 'none', now(), now());
      insert into chunk_drafts (tenant_id, tenant_unit_id, document_id, run, ordinal, id, source_hash, content,
          content_complement, keywords, metadata, terms, terms_length, analyzer)
        select 'acme', 'unit', document, 'run', i, document || i, '', '', '', '{}', '{}', '', 0, 1
        from unnest(array['in progress', 'left']) as document, generate_series(1, 1200) as i;
    `.execute(app.db);
    await expect.poll(() => count('webhook_deliveries')).toBe(20);
    await expect.poll(() => count('idempotency_keys')).toBe(10);
    await expect.poll(() => count('activity_minutes')).toBeLessThan(20);
    await expect.poll(() => count('dataset_searches')).toBe(10);
    await expect.poll(() => count('rate_buckets')).toBe(10);
    await expect.poll(() => count('chunk_drafts')).toBe(1_200);
    const pruned = (table: string) => value(app.address, `lectern_pruned_rows_total{table="${table}"}`);
    expect(await pruned('activity_minutes')).toBe(1_500);
    expect(await pruned('chunk_drafts')).toBe(1_200);
    expect(await pruned('dataset_searches')).toBe(1_500);
    expect(await pruned('idempotency_keys')).toBe(2_500);
    expect(await pruned('rate_buckets')).toBe(2_500);
    expect(await pruned('webhook_deliveries')).toBe(2_500);
  });
});

describe('what expires', () => {
  // Nothing is deleted unless a test says so.
  const app = useApp({ retention });

  test('is found by an index that begins with its time', async () => {
    const { rows } = await sql<{ name: string }>`
      select c.relname || '.' || a.attname as name from pg_index as i join pg_class as c on c.oid = i.indrelid
      join pg_attribute as a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    `.execute(app.db);
    const leading = rows.map(({ name }) => name);
    const swept = retentionRules({ retention }).map(({ table, column }) => `${table}.${column}`);
    expect(leading).toEqual(
      expect.arrayContaining([
        ...swept,
        'uploads.created_time',
        'rate_buckets.full_time',
        'list_counters.asked_time',
        'embeddings.created_time',
        'webhook_subscriptions.former_secret_until',
      ]),
    );
  });

  test('is reported while it is there', async () => {
    const overdue = 'lectern_retention_overdue_seconds{table="idempotency_keys"}';
    await sql`
      insert into idempotency_keys values ('acme', '', 'old', '', '', now() - interval '25 hours')
    `.execute(app.db);
    await expect.poll(() => value(app.address, overdue)).toBeGreaterThan(3_500);
    const rule = { table: 'idempotency_keys', column: 'created_time', keepMs: 86_400_000 };
    expect(await drain(deleteExpired(app.db, rule, () => new Date()))).toEqual([1]);
    await expect.poll(() => value(app.address, overdue)).toBe(0);
    const ahead = (await value(app.address, 'lectern_audit_partitions_ahead_seconds')) ?? 0;
    expect(ahead / 86_400).toBeGreaterThan(58);
  });

  const rule = { table: 'idempotency_keys', column: 'created_time', keepMs: 86_400_000 };
  const sweep = () => drain(deleteExpired(app.db, rule, () => new Date()));

  test('is deleted in batches of all tenants, also where many rows are of one time', async () => {
    await sql`
      insert into idempotency_keys
        select 'tenant ' || i % 7, '', i, '', '', now() - interval '2 days' from generate_series(1, 2500) as i
    `.execute(app.db);
    expect(await sweep()).toEqual([1_000, 1_000, 500]);
  });

  test('is not waited for where somebody else has locked it', async () => {
    await sql`
      insert into idempotency_keys
        select 'acme', '', i, '', '', now() - interval '2 days' from generate_series(1, 3) as i
    `.execute(app.db);
    await app.db.transaction().execute(async (tx) => {
      await sql`select key from idempotency_keys where tenant_id = 'acme' and key = '2' for update`.execute(
        tx,
      );
      expect(await sweep()).toEqual([2]);
    });
    expect(await sweep()).toEqual([1]);
  });

  test('the queues of a search server and a model that nobody uses any more are emptied', async () => {
    const waiting = async () => {
      const { rows } = await sql<{ outbox: number; queue: number; indexes: number }>`
        select (select count(*) from search_outbox) as outbox, (select count(*) from embedding_queue) as queue,
          (select count(*) from search_index) as indexes
      `.execute(app.db);
      return rows[0];
    };
    await sql`
      insert into search_index (synced_time, error_time) values (now() - interval '60 days', now() - interval '29 days');
      insert into embedding_models (status, url, name, dimensions, query_prefix, passage_prefix, scripts, is_filled,
          filled_tenant_id, filled_chunk_id, seen_time)
        values ('live', 'https://pages.test', 'model', 3, '', '', '{}', true, 'acme', 'chunk', now() - interval '29 days')
    `.execute(app.db);
    const document = {
      scope: { tenantId: 'acme', tenantUnitId: 'unit' },
      documentType: 'UnstructuredFile',
    } as const;
    await app.trpc().documents.create.mutate({ ...document, documentContent: 'It is queued.' });
    await app.settle();
    expect(await drain(emptyAbandonedQueues(app.db))).toEqual([]);
    expect(await waiting()).toEqual({ outbox: 1, queue: 1, indexes: 1 });
    await sql`
      update search_index set error_time = now() - interval '31 days';
      update embedding_models set seen_time = now() - interval '31 days'
    `.execute(app.db);
    expect(await drain(emptyAbandonedQueues(app.db))).toEqual([1, 1]);
    expect(await waiting()).toEqual({ outbox: 0, queue: 0, indexes: 0 });
    const { rows } = await sql`
      select is_filled, filled_tenant_id, filled_chunk_id from embedding_models
    `.execute(app.db);
    expect(rows).toEqual([{ isFilled: false, filledTenantId: '', filledChunkId: '' }]);
    await app
      .trpc()
      .documents.create.mutate({ ...document, documentContent: 'It is not queued for the index.' });
    await app.settle();
    expect(await waiting()).toEqual({ outbox: 0, queue: 1, indexes: 0 });
    await sql`delete from embedding_models`.execute(app.db);
  });

  test('unused vectors are deleted in steps that go on where the one before was ended', async () => {
    const { id } = await app.trpc().documents.create.mutate({
      scope: { tenantId: 'acme', tenantUnitId: 'unit' },
      documentType: 'UnstructuredFile',
      documentContent: 'Its vector is used.',
    });
    await app.settle();
    await sql`
      insert into chunk_texts select tenant_id, id, int4send(7) from chunks where document_id = ${id}
    `.execute(app.db);
    await sql`
      insert into embeddings (tenant_id, model_id, hash, scale, vector, is_cut, created_time)
        select 'acme', 1, int4send(i), 1, '', false, now() - interval '8 days' - make_interval(secs => 5000 - i)
        from generate_series(1, 2500) as i
    `.execute(app.db);
    const sweep = createSweepUnusedVectors(app.db);
    for await (const rows of sweep()) {
      expect(rows).toBe(999);
      break;
    }
    expect(await drain(sweep())).toEqual([1_000, 500]);
    // From the beginning, where one is used that was passed over.
    expect(await drain(sweep())).toEqual([0]);
    const { rows } = await sql`select int4send(7) = hash as is_used from embeddings`.execute(app.db);
    expect(rows).toEqual([{ isUsed: true }]);
  });
});
