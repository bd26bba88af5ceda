import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordBackup } from '../../src/backup/record-backup.js';
import { useApp } from '../support/app.js';

const documentType = 'UnstructuredFile';
const scope = { tenantId: 'acme' };
const SALES = { tenantId: 'acme', tenantUnitId: 'sales' };
const LEGAL = { tenantId: 'acme', tenantUnitId: 'legal' };
const DAY_MS = 86_400_000;

const exactly = (count: number) => ({ count, isLowerBound: false });
const NO_DOCUMENTS = { failed: exactly(0), failures: [], withWarnings: exactly(0) };
const NO_CONVERSATIONS = { inputRequired: exactly(0), reviewRequested: exactly(0) };
const NO_WEBHOOKS = { paused: 0, failing: 0 };
const NO_KEYS = { expiring: 0, expired: 0 };
const SEARCH_IS_WELL = {
  isServed: true,
  indexBehind: null,
  rejected: exactly(0),
  embeddingBehind: null,
  embeddingFailed: exactly(0),
};
const WARNING = { code: 'unreadable_parts', file: null, pages: [], pageCount: 0, names: [], nameCount: 0 };
/** A port where nobody listens. */
const NOBODY = 'http://127.0.0.1:9';

type App = ReturnType<typeof useApp>;

/** One of everything that needs attention in each of two units, and what does not. */
async function fill(app: App, tenantId: string): Promise<void> {
  const { documents, conversations } = app.trpc();
  const create = async (unit: string, datasetIds: string[], changes: object) => {
    const { id } = await documents.create.mutate({
      scope: { tenantId, tenantUnitId: unit },
      documentType,
      datasetIds,
    });
    await app.db
      .updateTable('documents')
      .set(changes)
      .where('tenantId', '=', tenantId)
      .where('id', '=', id)
      .execute();
  };
  const failed = (code: string) => ({
    status: 'failed' as const,
    error: JSON.stringify({ code, stage: 'parsing', message: 'It failed.', retryable: false }),
  });
  await create('sales', ['faq'], failed('encrypted'));
  await create('sales', ['faq'], failed('timeout'));
  await create('legal', ['contracts'], failed('encrypted'));
  // It is tried again, and has the error of the last attempt.
  await create('legal', ['contracts'], { ...failed('encrypted'), status: 'processing' });
  await create('legal', ['contracts'], { status: 'ready', warnings: JSON.stringify([WARNING]) });
  await create('legal', ['contracts'], { status: 'ready' });
  for (const [unit, status] of [
    ['sales', 'input-required'],
    ['sales', 'running'],
    ['legal', 'input-required'],
    ['legal', 'review-requested'],
  ] as const) {
    await conversations.create.mutate({ scope: { tenantId, tenantUnitId: unit }, status });
  }
  await addWebhooks(app, tenantId);
  await addKeys(app, tenantId);
}

async function addWebhooks(app: App, tenantId: string): Promise<void> {
  for (const [unit, changes] of [
    ['sales', { failures: 15, pausedTime: new Date() }],
    ['sales', { failures: 2 }],
    ['legal', { failures: 3 }],
    ['legal', { failures: 1, enabled: false }],
    ['legal', {}],
  ] as const) {
    const { id } = await app.trpc().webhooks.create.mutate({
      scope: { tenantId, tenantUnitId: unit },
      url: 'https://events.test/',
      eventTypes: ['document.ready'],
    });
    await app.db
      .updateTable('webhookSubscriptions')
      .set({ updatedTime: new Date(), ...changes })
      .where('tenantId', '=', tenantId)
      .where('id', '=', id)
      .execute();
  }
}

async function addKeys(app: App, tenantId: string): Promise<void> {
  for (const [unit, days, changes] of [
    ['sales', 13, {}],
    ['legal', 1, {}],
    ['legal', 1, { revokedTime: new Date() }],
    ['legal', 15, {}],
    ['legal', -13, {}],
    ['legal', -15, {}],
  ] as const) {
    const { id } = await app.trpc().apiKeys.create.mutate({
      scope: { tenantId, tenantUnitId: unit },
      name: `${days} days`,
      scopes: ['search'],
    });
    await app.db
      .updateTable('apiKeys')
      .set({ expiresTime: new Date(Date.now() + days * DAY_MS), ...changes })
      .where('tenantId', '=', tenantId)
      .where('id', '=', id)
      .execute();
  }
  const { id: keyId } = await app.trpc().apiKeys.create.mutate({
    scope: { tenantId, tenantUnitId: 'legal' },
    name: 'rotated',
    scopes: ['search'],
  });
  await app.trpc().apiKeys.rotate.mutate({ scope: { tenantId }, keyId });
}

const OF_ACME = {
  documents: {
    failed: exactly(3),
    failures: [
      { code: 'encrypted', count: 2 },
      { code: 'timeout', count: 1 },
    ],
    withWarnings: exactly(1),
  },
  conversations: { inputRequired: exactly(2), reviewRequested: exactly(1) },
  webhooks: { paused: 1, failing: 2 },
  apiKeys: { expiring: 2, expired: 1 },
  search: SEARCH_IS_WELL,
  backup: null,
};

describe('in open mode', () => {
  // Nobody processes what is there.
  const app = useApp({ role: 'api' });

  beforeAll(async () => {
    await fill(app, 'acme');
    await fill(app, 'beta');
  });

  test('what needs attention is counted', async () => {
    expect(await app.trpc().overview.attention.query({ scope })).toEqual(OF_ACME);
  });

  test('documents and conversations are those of the units, webhooks and keys those of the tenant', async () => {
    expect(await app.trpc().overview.attention.query({ scope: SALES })).toEqual({
      ...OF_ACME,
      documents: {
        failed: exactly(2),
        failures: [
          { code: 'encrypted', count: 1 },
          { code: 'timeout', count: 1 },
        ],
        withWarnings: exactly(0),
      },
      conversations: { inputRequired: exactly(1), reviewRequested: exactly(0) },
    });
  });

  test('of a tenant that nobody has there is nothing', async () => {
    expect(await app.trpc().overview.attention.query({ scope: { tenantId: 'nobody' } })).toEqual({
      documents: NO_DOCUMENTS,
      conversations: NO_CONVERSATIONS,
      webhooks: NO_WEBHOOKS,
      apiKeys: NO_KEYS,
      search: SEARCH_IS_WELL,
      backup: null,
    });
  });

  test('a backup that is more than eight days old is overdue', async () => {
    const backupAt = async (days: number) => {
      const lastTime = new Date(Date.now() - days * DAY_MS);
      await recordBackup(app.db, lastTime);
      const { backup } = await app.trpc().overview.attention.query({ scope });
      expect(backup?.lastTime).toEqual(lastTime.toISOString());
      return backup?.isOverdue;
    };
    expect(await backupAt(8.1)).toBe(true);
    expect(await backupAt(7.9)).toBe(false);
    await app.db.deleteFrom('lastBackup').execute();
  });

  test('lists have exactly what is counted', async () => {
    const { documents, apiKeys } = app.trpc();
    const failedWith = async (failureCode: string, more: object = {}) => {
      const { items, totalCount } = await documents.list.query({ scope, failureCode, ...more });
      expect(items).toHaveLength(totalCount);
      return items.map(({ status, tenantUnitId }) => `${status} in ${tenantUnitId}`);
    };
    expect(await failedWith('encrypted')).toEqual(['failed in legal', 'failed in sales']);
    expect(await failedWith('encrypted', { datasetIds: ['faq'] })).toEqual(['failed in sales']);
    expect(await failedWith('encrypted', { scope: LEGAL })).toEqual(['failed in legal']);
    expect(await failedWith('encrypted', { statuses: ['ready'] })).toEqual([]);
    expect(await failedWith('novel')).toEqual([]);
    const expiring = async (expiry: 'soon' | 'past') => {
      const { items, totalCount } = await apiKeys.list.query({ scope, expiry });
      expect(items).toHaveLength(totalCount);
      return items.map(({ name }) => name);
    };
    expect(await expiring('soon')).toEqual(['1 days', '13 days']);
    expect(await expiring('past')).toEqual(['-13 days']);
  });

  test('of very many failed documents the newest tell the reasons', async () => {
    await sql`
      insert into documents (id, tenant_id, tenant_unit_id, document_type, dataset_ids, source, status, error, warnings, created_time, updated_time)
      select 'document ' || i, 'large', 'unit', ${documentType}, '{}', 'none', 'failed',
        jsonb_build_object('code', case when i > 9000 then 'timeout' else 'scanned' end),
        jsonb_build_array(${JSON.stringify(WARNING)}::jsonb), to_timestamp(i), now()
      from generate_series(1, 11000) as i
    `.execute(app.db);
    const read = () => app.trpc().overview.attention.query({ scope: { tenantId: 'large' } });
    const failures = [
      { code: 'scanned', count: 8_000 },
      { code: 'timeout', count: 2_000 },
    ];
    const atLeast = { count: 10_000, isLowerBound: true };
    expect((await read()).documents).toEqual({ failed: atLeast, failures, withWarnings: atLeast });
  });
});

describe('in open mode, with background work', () => {
  const app = useApp();

  test('failed documents are counted beyond those whose reasons are', async () => {
    await sql`
      insert into documents (id, tenant_id, tenant_unit_id, document_type, dataset_ids, source, status, error, created_time, updated_time)
      select 'document ' || i, 'large', 'unit', ${documentType}, '{}', 'none', 'failed', '{"code": "scanned"}', now(), now()
      from generate_series(1, 10500) as i
    `.execute(app.db);
    const documents = async () =>
      (await app.trpc().overview.attention.query({ scope: { tenantId: 'large' } })).documents;
    await expect.poll(documents).toEqual({
      failed: exactly(10_500),
      failures: [{ code: 'scanned', count: 10_000 }],
      withWarnings: exactly(0),
    });
  });
});

describe('with keys', () => {
  const app = useApp({ role: 'api' });
  const guarded = useApp({ role: 'api', authMode: 'required' }, { beside: app });
  const attentionOf = async (fields: Parameters<typeof guarded.makeKey>[0]) => {
    const { key } = await guarded.makeKey(fields);
    return guarded.trpc({ 'x-api-key': key }).overview.attention.query({ scope });
  };
  const NOTHING = {
    documents: null,
    conversations: null,
    webhooks: null,
    apiKeys: null,
    search: null,
    backup: null,
  };

  beforeAll(async () => {
    await fill(app, 'acme');
    await fill(app, 'beta');
  });

  test('each part needs a permission', async () => {
    expect(await attentionOf({ scopes: ['documents:read'] })).toEqual({
      ...NOTHING,
      documents: OF_ACME.documents,
    });
    expect(await attentionOf({ scopes: ['conversations:read'] })).toEqual({
      ...NOTHING,
      conversations: OF_ACME.conversations,
    });
    expect(await attentionOf({ scopes: ['keys:admin'] })).toEqual({
      ...NOTHING,
      webhooks: OF_ACME.webhooks,
      apiKeys: OF_ACME.apiKeys,
    });
    expect(await attentionOf({ scopes: ['operations'] })).toEqual({ ...NOTHING, search: SEARCH_IS_WELL });
    expect(await attentionOf({ scopes: ['search'] })).toEqual(NOTHING);
  });

  test('a key of some units or datasets gets what is within', async () => {
    expect(await attentionOf({ scope: LEGAL, scopes: ['documents:read', 'keys:admin'] })).toEqual({
      ...NOTHING,
      documents: {
        failed: exactly(1),
        failures: [{ code: 'encrypted', count: 1 }],
        withWarnings: exactly(1),
      },
      webhooks: { paused: 0, failing: 1 },
      apiKeys: { expiring: 1, expired: 1 },
    });
    expect(await attentionOf({ datasetIds: ['faq'], scopes: ['documents:read'] })).toEqual({
      ...NOTHING,
      documents: {
        failed: exactly(2),
        failures: [
          { code: 'encrypted', count: 1 },
          { code: 'timeout', count: 1 },
        ],
        withWarnings: exactly(0),
      },
    });
  });

  test('another tenant is refused', async () => {
    const { key } = await guarded.makeKey();
    const { overview } = guarded.trpc({ 'x-api-key': key });
    await expect(overview.attention.query({ scope: { tenantId: 'beta' } })).rejects.toMatchObject({
      data: {
        httpStatus: 403,
        detail: [
          { type: 'forbidden', loc: ['scope', 'tenantId'], msg: 'This API key belongs to another tenant.' },
        ],
      },
    });
  });
});

describe('with a search server that is down', () => {
  const app = useApp({
    role: 'api',
    meilisearch: {
      url: NOBODY,
      apiKey: 'key',
      adminKey: undefined,
      prefix: 'attention_',
      searchTimeoutMs: 2_000,
    },
  });

  test('what waits for it and for the model is counted', async () => {
    await sql`
      insert into search_outbox (tenant_id, chunk_id, queued_time, error)
      values ('acme', 'late', now() - interval '2 hours', null), ('acme', 'new', now(), null),
        ('acme', 'refused', now(), 'It is too large.')
    `.execute(app.db);
    await sql`
      insert into embedding_queue (tenant_id, chunk_id, error)
      select 'acme', i::text, case when i > 1200 then 'Too long.' end from generate_series(1, 1203) as i
    `.execute(app.db);
    const { search } = await app.trpc().overview.attention.query({ scope: { tenantId: 'nobody' } });
    expect(search).toEqual({
      isServed: false,
      indexBehind: { ...exactly(2), oldestSeconds: expect.any(Number) },
      rejected: exactly(1),
      embeddingBehind: exactly(1_200),
      embeddingFailed: exactly(3),
    });
    expect(search?.indexBehind?.oldestSeconds).toBeGreaterThanOrEqual(7_200);
  });
});
