import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { NewApiKey } from '../../src/services/api-keys/api-keys.schema.js';
import { useApp } from '../support/app.js';

const documentType = 'UnstructuredFile';

interface Place {
  tenantId: string;
  tenantUnitId: string;
}

async function fill(trpc: ReturnType<ReturnType<typeof useApp>['trpc']>, tenant: string): Promise<void> {
  const create = (tenantUnitId: string, datasetIds: string[]) =>
    trpc.documents.create.mutate({ scope: { tenantId: tenant, tenantUnitId }, documentType, datasetIds });
  await create('sales', ['faq', 'manuals']);
  await create('sales', ['faq']);
  await create('legal', ['contracts', 'faq']);
  await create('attic', []);
  const scope: Place = { tenantId: tenant, tenantUnitId: 'support' };
  await trpc.conversations.create.mutate({ scope });
}

const dataset = (datasetId: string, documents: number) => ({ datasetId, documents, isLowerBound: false });

describe('in open mode', () => {
  const app = useApp();
  let reach: ReturnType<typeof app.trpc>['reach'];

  beforeAll(async () => {
    const trpc = app.trpc();
    reach = trpc.reach;
    await fill(trpc, 'acme');
    await fill(trpc, 'beta');
    await trpc.conversations.create.mutate({ scope: { tenantId: 'acme inc', tenantUnitId: '部门' } });
  });

  test('all tenants that have something can be chosen', async () => {
    expect(await reach.tenants.query({})).toEqual({
      tenantIds: ['acme', 'acme inc', 'beta'],
      truncated: false,
    });
    expect(await reach.tenants.query({ prefix: 'acme', limit: 1 })).toEqual({
      tenantIds: ['acme'],
      truncated: true,
    });
    expect(await reach.tenants.query({ prefix: 'acme ' })).toEqual({
      tenantIds: ['acme inc'],
      truncated: false,
    });
    expect(await reach.tenants.query({ prefix: 'a%' })).toEqual({ tenantIds: [], truncated: false });
    expect(await reach.tenants.query({ after: 'acme', limit: 1 })).toEqual({
      tenantIds: ['acme inc'],
      truncated: true,
    });
    expect(await reach.tenants.query({ prefix: 'acme', after: 'acme inc' })).toEqual({
      tenantIds: [],
      truncated: false,
    });
  });

  test('units of a tenant are those of documents and conversations', async () => {
    const units = (tenantId: string, more = {}) => reach.units.query({ scope: { tenantId }, ...more });
    expect(await units('acme')).toEqual({
      tenantUnitIds: ['attic', 'legal', 'sales', 'support'],
      truncated: false,
    });
    expect(await units('acme inc')).toEqual({ tenantUnitIds: ['部门'], truncated: false });
    expect(await units('acme', { prefix: 's', limit: 1 })).toEqual({
      tenantUnitIds: ['sales'],
      truncated: true,
    });
    expect(await units('acme', { after: 'legal' })).toEqual({
      tenantUnitIds: ['sales', 'support'],
      truncated: false,
    });
    expect(await units('nobody')).toEqual({ tenantUnitIds: [], truncated: false });
  });

  test('datasets come with how many documents they have, in the units that are asked for', async () => {
    const datasets = (tenantUnitId?: string | string[], more = {}) =>
      reach.datasets.query({ scope: { tenantId: 'acme', tenantUnitId }, ...more });
    expect(await datasets()).toEqual({
      datasets: [dataset('contracts', 1), dataset('faq', 3), dataset('manuals', 1)],
      truncated: false,
    });
    expect(await datasets('sales')).toEqual({
      datasets: [dataset('faq', 2), dataset('manuals', 1)],
      truncated: false,
    });
    expect(await datasets(['attic', 'legal'], { limit: 1 })).toEqual({
      datasets: [dataset('contracts', 1)],
      truncated: true,
    });
    expect(await datasets(undefined, { prefix: 'ma' })).toEqual({
      datasets: [dataset('manuals', 1)],
      truncated: false,
    });
    expect(await datasets(undefined, { after: 'contracts', limit: 1 })).toEqual({
      datasets: [dataset('faq', 3)],
      truncated: true,
    });
    expect(await datasets(['attic', 'sales'], { after: 'faq' })).toEqual({
      datasets: [dataset('manuals', 1)],
      truncated: false,
    });
    expect(await reach.datasets.query({ scope: { tenantId: 'nobody' } })).toEqual({
      datasets: [],
      truncated: false,
    });
  });

  test('datasets of each unit are listed either way round, from any of them on', async () => {
    const all = [
      { tenantUnitId: 'legal', ...dataset('contracts', 1) },
      { tenantUnitId: 'legal', ...dataset('faq', 1) },
      { tenantUnitId: 'sales', ...dataset('faq', 2) },
      { tenantUnitId: 'sales', ...dataset('manuals', 1) },
    ];
    const list = async (more: object = {}, tenantUnitId?: string[]) =>
      reach.unitDatasets.query({ scope: { tenantId: 'acme', tenantUnitId }, ...more });
    for (const [order, expected] of [
      ['asc', all],
      ['desc', all.toReversed()],
    ] as const) {
      for (const units of [undefined, ['attic', 'sales', 'legal', 'sales', 'support']]) {
        expect(await list({ order }, units)).toEqual({ datasets: expected, truncated: false });
        for (const [place, { tenantUnitId, datasetId }] of expected.entries()) {
          const after = { tenantUnitId, datasetId };
          const rest = expected.slice(place + 1);
          expect(await list({ order, after }, units)).toEqual({ datasets: rest, truncated: false });
          expect(await list({ order, after, limit: 1 }, units)).toEqual({
            datasets: rest.slice(0, 1),
            truncated: rest.length > 1,
          });
        }
      }
      const after = { tenantUnitId: 'm', datasetId: 'zzz' };
      const behind = expected.filter(({ tenantUnitId }) => (tenantUnitId === 'sales') === (order === 'asc'));
      expect(await list({ order, after })).toEqual({ datasets: behind, truncated: false });
    }
    expect(await list({}, ['sales'])).toEqual({ datasets: all.slice(2), truncated: false });
    expect(await list({}, ['attic'])).toEqual({ datasets: [], truncated: false });
    expect(await reach.unitDatasets.query({ scope: { tenantId: 'nobody' } })).toEqual({
      datasets: [],
      truncated: false,
    });
  });

  test('documents of a large dataset are not all counted', async () => {
    const scope = { tenantId: 'large', tenantUnitId: 'unit' };
    await sql`
      with made as (
        insert into documents (id, tenant_id, tenant_unit_id, document_type, source, dataset_ids, created_time, updated_time)
        select 'document ' || i, 'large', 'unit', ${documentType}, 'none', array['all'], now(), now()
        from generate_series(1, 1000) as i returning tenant_id, tenant_unit_id, id, created_time)
      insert into document_datasets (tenant_id, tenant_unit_id, document_id, created_time, dataset_id)
      select *, 'all' from made
    `.execute(app.db);
    expect(await reach.datasets.query({ scope })).toEqual({
      datasets: [dataset('all', 1_000)],
      truncated: false,
    });
    await app.trpc().documents.create.mutate({ scope, documentType, datasetIds: ['all'] });
    expect(await reach.datasets.query({ scope })).toEqual({
      datasets: [{ ...dataset('all', 1_000), isLowerBound: true }],
      truncated: false,
    });
    for (const countUpTo of [0, 2]) {
      const counted = { ...dataset('all', countUpTo), isLowerBound: true };
      expect(await reach.datasets.query({ scope, countUpTo })).toEqual({
        datasets: [counted],
        truncated: false,
      });
      expect(await reach.unitDatasets.query({ scope, countUpTo })).toEqual({
        datasets: [{ tenantUnitId: 'unit', ...counted }],
        truncated: false,
      });
    }
  });
});

describe('with keys', () => {
  const app = useApp({ authMode: 'required' });
  const scope = { tenantId: 'acme' };
  const reachOf = async (fields: Partial<NewApiKey> = {}) => {
    const { key } = await app.makeKey(fields);
    return app.trpc({ 'x-api-key': key }).reach;
  };

  beforeAll(async () => {
    for (const tenantId of ['acme', 'beta']) {
      const { key } = await app.makeKey({ scope: { tenantId } });
      await fill(app.trpc({ 'x-api-key': key }), tenantId);
    }
  });

  test('a key reaches its tenant alone', async () => {
    const reach = await reachOf();
    expect(await reach.tenants.query({})).toEqual({ tenantIds: ['acme'], truncated: false });
    expect(await reach.tenants.query({ prefix: 'b' })).toEqual({ tenantIds: [], truncated: false });
    const foreign = { scope: { tenantId: 'beta' } };
    for (const call of [
      () => reach.units.query(foreign),
      () => reach.datasets.query(foreign),
      () => reach.unitDatasets.query(foreign),
    ]) {
      await expect(call()).rejects.toMatchObject({
        data: {
          httpStatus: 403,
          detail: [
            {
              type: 'forbidden',
              loc: ['scope', 'tenantId'],
              msg: 'This API key belongs to another tenant.',
            },
          ],
        },
      });
    }
  });

  test('a key of some units reaches these, whether they have something or not', async () => {
    const reach = await reachOf({ scope: { tenantId: 'acme', tenantUnitId: ['sales', 'empty'] } });
    expect(await reach.units.query({ scope })).toEqual({
      tenantUnitIds: ['empty', 'sales'],
      truncated: false,
    });
    expect(await reach.datasets.query({ scope })).toEqual({
      datasets: [dataset('faq', 2), dataset('manuals', 1)],
      truncated: false,
    });
  });

  test.each<[Partial<NewApiKey>, string[]]>([
    [{ scope: { tenantId: 'acme', tenantUnitId: ['sales', 'empty'] } }, ['sales faq', 'sales manuals']],
    [
      { datasetIds: ['faq', 'contracts', 'empty'], scopes: ['search'] },
      ['legal contracts', 'legal faq', 'sales faq'],
    ],
    [
      {
        scope: { tenantId: 'acme', tenantUnitId: ['sales'] },
        datasetIds: ['faq', 'contracts'],
        scopes: ['search'],
      },
      ['sales faq'],
    ],
  ])('a key of %j is listed the datasets of units that it reaches', async (fields, expected) => {
    const reach = await reachOf(fields);
    const list = async (more: object = {}) => {
      const { datasets } = await reach.unitDatasets.query({ scope, ...more });
      return datasets.map(({ tenantUnitId, datasetId }) => `${tenantUnitId} ${datasetId}`);
    };
    expect([await list(), await list({ order: 'desc' })]).toEqual([expected, expected.toReversed()]);
    const after = { tenantUnitId: 'legal', datasetId: 'contracts' };
    expect(await list({ after })).toEqual(expected.filter((one) => one > 'legal contracts'));
    expect(await list({ after, order: 'desc' })).toEqual([]);
  });

  test('a key of some datasets reaches these, and units with documents of theirs', async () => {
    const reach = await reachOf({ datasetIds: ['contracts', 'empty'], scopes: ['documents:read'] });
    expect(await reach.units.query({ scope })).toEqual({ tenantUnitIds: ['legal'], truncated: false });
    expect(await reach.datasets.query({ scope })).toEqual({
      datasets: [dataset('contracts', 1), dataset('empty', 0)],
      truncated: false,
    });
    const both = await reachOf({
      datasetIds: ['contracts'],
      scopes: ['documents:read', 'conversations:read'],
    });
    expect(await both.units.query({ scope })).toEqual({
      tenantUnitIds: ['legal', 'support'],
      truncated: false,
    });
  });

  test('a key learns of units from what it may see', async () => {
    const [documents, conversations, neither] = await Promise.all(
      (['search', 'conversations:read', 'operations'] as const).map((one) => reachOf({ scopes: [one] })),
    );
    expect(await documents?.units.query({ scope })).toEqual({
      tenantUnitIds: ['attic', 'legal', 'sales'],
      truncated: false,
    });
    expect(await conversations?.units.query({ scope })).toEqual({
      tenantUnitIds: ['support'],
      truncated: false,
    });
    expect(await neither?.units.query({ scope })).toEqual({ tenantUnitIds: [], truncated: false });
  });
});
