import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { documentStatuses, runStatuses } from '../../db/enums.js';
import type { NewApiKey } from '../../src/services/api-keys/api-keys.schema.js';
import { useApp } from '../support/app.js';
import { openStream, progressUrl } from '../support/sse-client.js';
import { waitToHold } from '../support/wait-for.js';

const documentType = 'UnstructuredFile';
const scope = { tenantId: 'acme' };
const SALES = { tenantId: 'acme', tenantUnitId: 'sales' };
const LEGAL = { tenantId: 'acme', tenantUnitId: 'legal' };

const exactly = (count: number) => ({ count, isLowerBound: false });
const zeros = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, exactly(0)])) as Record<Name, ReturnType<typeof exactly>>;
const NO_DOCUMENTS = zeros(documentStatuses);
const NO_CONVERSATIONS = { ...zeros(runStatuses), none: exactly(0) };
const unlimited = (used: number) => ({ used, limit: null });
const NOTHING_USED = {
  documents: unlimited(0),
  chunks: unlimited(0),
  bytes: unlimited(0),
  embeddedTokens: unlimited(0),
  extractedPages: unlimited(0),
};
const NONE_WAITING = {
  waiting: exactly(0),
  retrying: exactly(0),
  running: 0,
  oldestTime: null,
  next: [],
  byStage: { fetching: 0, parsing: 0, extracting: 0, splitting: 0, storing: 0 },
};
const foreign = {
  data: {
    httpStatus: 403,
    detail: [
      { type: 'forbidden', loc: ['scope', 'tenantId'], msg: 'This API key belongs to another tenant.' },
    ],
  },
};

type Caller = ReturnType<ReturnType<typeof useApp>['trpc']>;

/** Two documents that are ready and one that fails, two conversations. */
async function fill({ documents, conversations }: Caller, tenantId: string): Promise<void> {
  const [sales, legal] = [
    { tenantId, tenantUnitId: 'sales' },
    { tenantId, tenantUnitId: 'legal' },
  ];
  const create = (at: typeof sales, datasetIds: string[], fields: object) =>
    documents.create.mutate({ scope: at, documentType, datasetIds, ...fields });
  await create(sales, ['faq'], { documentContent: 'Herons stand in the water.' });
  await create(legal, ['contracts'], { documentContent: 'The deposit is paid back.' });
  await create(sales, ['faq'], { url: 'http://127.0.0.1/private' });
  await conversations.create.mutate({ scope: sales, status: 'running' });
  const { id } = await conversations.create.mutate({ scope: legal });
  await conversations.setStatus.mutate({ scope: legal, conversationId: id, status: null });
}

describe('in open mode', () => {
  const app = useApp({
    quotas: { documents: 100, chunks: undefined, bytes: 1_000_000 },
    rateLimits: { store: 'memory', keyRequests: { amount: 1_000, seconds: 60 } },
  });

  beforeAll(async () => {
    await fill(app.trpc(), 'acme');
    await app.settle();
  });

  test('what is there, what failed and what is used', async () => {
    expect(await app.trpc().overview.get.query({ scope })).toEqual({
      documents: { ...NO_DOCUMENTS, ready: exactly(2), failed: exactly(1) },
      conversations: { ...NO_CONVERSATIONS, running: exactly(1), none: exactly(1) },
    });
    expect(await app.trpc().overview.usage.query({ scope })).toEqual({
      documents: { used: 3, limit: 100 },
      chunks: { used: 2, limit: null },
      bytes: { used: 51, limit: 1_000_000 },
      embeddedTokens: { used: 0, limit: null },
      extractedPages: { used: 0, limit: null },
    });
    expect(await app.trpc().overview.usage.query({ scope: LEGAL })).toBeNull();
    expect(await app.trpc().overview.get.query({ scope: LEGAL })).toMatchObject({
      documents: { ...NO_DOCUMENTS, ready: exactly(1) },
      conversations: { ...NO_CONVERSATIONS, none: exactly(1) },
    });
  });

  test('of a tenant that nobody has there is nothing', async () => {
    const nobody = { scope: { tenantId: 'nobody' } };
    const { overview } = app.trpc();
    expect(await overview.get.query(nobody)).toEqual({
      documents: NO_DOCUMENTS,
      conversations: NO_CONVERSATIONS,
    });
    expect(await overview.usage.query(nobody)).toEqual({
      ...NOTHING_USED,
      documents: { used: 0, limit: 100 },
      bytes: { used: 0, limit: 1_000_000 },
    });
    expect(await overview.queue.query(nobody)).toEqual(NONE_WAITING);
    const { stepSeconds, rates } = await overview.rates.query({ ...nobody, period: 'day' });
    expect({ stepSeconds, steps: rates?.length }).toEqual({ stepSeconds: 900, steps: 96 });
    for (const { time: _, ...rate } of rates ?? []) expect(rate).toEqual(NO_RATE);
  });

  test('many entries are counted in the background', async () => {
    await sql`
      insert into conversations (id, tenant_id, tenant_unit_id, agent_id, user_id, agent_mode, status, created_time, updated_time)
      select 'conversation ' || i, 'large', 'unit', 'agent', 'user', 'chat',
        case when i > 1500 then 'failed' when i > 100 then 'running' end, now(), now()
      from generate_series(1, 1600) as i
    `.execute(app.db);
    const conversations = async () =>
      (await app.trpc().overview.get.query({ scope: { tenantId: 'large' } })).conversations;
    await expect.poll(conversations).toEqual({
      ...NO_CONVERSATIONS,
      running: exactly(1_400),
      failed: exactly(100),
      none: exactly(100),
    });
  });

  test('rates tell what was processed and searched', async () => {
    const { overview, chunks } = app.trpc();
    const search = { scope: SALES, datasetIds: ['faq'], query: 'herons' };
    for (let i = 0; i < 3; i++) await chunks.search.query(search);
    await expect(chunks.search.query({ ...search, topK: 1_000 })).rejects.toThrow();
    await waitToHold(async () => {
      const { stepSeconds, rates } = await overview.rates.query({ scope });
      expect({ stepSeconds, steps: rates?.length }).toEqual({ stepSeconds: 60, steps: 60 });
      const busy = rates?.filter((rate) => rate.ready + rate.failed + rate.searches > 0) ?? [];
      const sum = (name: 'ready' | 'failed' | 'chunks' | 'searches' | 'searchesFailed') =>
        busy.reduce((total, rate) => total + rate[name], 0);
      expect({
        ready: sum('ready'),
        failed: sum('failed'),
        chunks: sum('chunks'),
        searches: sum('searches'),
        searchesFailed: sum('searchesFailed'),
      }).toEqual({ ready: 2, failed: 1, chunks: 2, searches: 3, searchesFailed: 0 });
      for (const { searches, p50Ms, p95Ms } of busy) {
        expect([p50Ms, p95Ms]).toEqual(
          searches > 0 ? [expect.any(Number), expect.any(Number)] : [null, null],
        );
      }
    });
  });

  test('latencies of all processes are put together', async () => {
    const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000);
    const latencies = (bucket: number) => Array.from({ length: 20 }, (_, i) => (i === bucket ? 10 : 0));
    const row = {
      tenantId: 'busy',
      minute,
      documentsReady: 4,
      documentsFailed: 1,
      chunks: 9,
      searches: 11,
      searchesFailed: 1,
    };
    await app.db
      .insertInto('activityMinutes')
      .values([
        { ...row, process: 'one', searchLatencies: latencies(3) },
        { ...row, process: 'another', searchLatencies: latencies(9) },
        { ...row, process: 'another', minute: new Date(0), searchLatencies: latencies(9) },
      ])
      .execute();
    const { rates } = await app.trpc().overview.rates.query({ scope: { tenantId: 'busy' } });
    const sums = { ready: 8, failed: 2, chunks: 18, searches: 22, searchesFailed: 2 };
    expect(rates?.filter(({ searches }) => searches > 0)).toEqual([
      { time: minute.toISOString(), ...sums, p50Ms: 10, p95Ms: expect.closeTo(97.5) },
    ]);
  });

  test('limits of an address, which asking does not use up', async () => {
    const { overview } = app.trpc();
    const read = () => overview.limits.query();
    const [first, second] = [await read(), await read()];
    expect(first).toEqual({
      rates: [
        {
          policy: 'address',
          unit: 'requests',
          amount: 1_000,
          seconds: 60,
          remaining: expect.any(Number),
          resetSeconds: 1,
        },
      ],
      streams: [{ subject: 'address', open: 0, limit: expect.any(Number) }],
    });
    // Each costs its own request, and nothing besides.
    const [before, after] = [first, second].map(({ rates }) => rates[0]?.remaining ?? 0) as [number, number];
    expect(before - after).toBeLessThanOrEqual(1);
  });
});

describe('documents that wait', () => {
  // Nobody processes them.
  const app = useApp({ role: 'api' });
  const ids: string[] = [];

  beforeAll(async () => {
    const { documents } = app.trpc();
    for (const [at, documentName] of [
      [SALES, 'First'],
      [SALES, 'Second'],
      [LEGAL, ''],
      [LEGAL, 'Retried'],
    ] as const) {
      const fields = { scope: at, documentType, documentName } as const;
      const { id } = await documents.create.mutate({ ...fields, documentContent: 'Some text.' });
      ids.push(id);
    }
    await documents.create.mutate({
      scope: { tenantId: 'beta', tenantUnitId: 'sales' },
      documentType,
      documentContent: 'Theirs.',
    });
    const job = (i: number) =>
      app.db
        .updateTable('processingJobs')
        .where('tenantId', '=', 'acme')
        .where('documentId', '=', ids[i] ?? '');
    await job(1).set({ leaseOwner: 'worker', leaseExpiresTime: new Date() }).execute();
    await app.db
      .updateTable('documents')
      .set({ status: 'processing', stage: 'parsing' })
      .where('tenantId', '=', 'acme')
      .where('id', '=', ids[1] ?? '')
      .execute();
    await job(3)
      .set({ attempts: 2, nextAttemptTime: new Date('2100-01-01T00:00:00Z') })
      .execute();
  });

  const queued = (i: number, documentName: string | null, more = {}) => ({
    documentId: ids[i],
    documentName,
    lane: 'tiny',
    queuedTime: expect.any(String),
    attempts: 0,
    nextAttemptTime: null,
    ...more,
  });
  const later = { attempts: 2, nextAttemptTime: '2100-01-01T00:00:00.000Z' };

  test('are counted, and the next are listed', async () => {
    const queue = await app.trpc().overview.queue.query({ scope });
    expect(queue).toEqual({
      waiting: exactly(2),
      retrying: exactly(1),
      running: 1,
      oldestTime: queue.next[0]?.queuedTime,
      byStage: { fetching: 0, parsing: 1, extracting: 0, splitting: 0, storing: 0 },
      next: [queued(0, 'First'), queued(2, null), queued(3, 'Retried', later)],
    });
    expect(await app.trpc().overview.queue.query({ scope: SALES })).toEqual({
      ...queue,
      waiting: exactly(1),
      retrying: exactly(0),
      next: [queued(0, 'First')],
    });
  });

  test('a document that is queued anew keeps its place', async () => {
    const queue = () => app.trpc().overview.queue.query({ scope: SALES });
    const { next } = await queue();
    await app.trpc().documents.reprocess.mutate({ scope, documentId: ids[0] ?? '' });
    expect((await queue()).next).toEqual(next);
  });
});

const NO_RATE = {
  ready: 0,
  failed: 0,
  chunks: 0,
  searches: 0,
  searchesFailed: 0,
  p50Ms: null,
  p95Ms: null,
};

describe('with keys', () => {
  const limit = (amount: number) => ({ amount, seconds: 60 });
  const app = useApp({
    authMode: 'required',
    role: 'api',
    rateLimits: {
      store: 'postgres',
      keyRequests: limit(1_200),
      tenantRequests: limit(6_000),
      keyUploadBytes: limit(1e6),
      tenantUploadBytes: limit(1e7),
    },
  });
  const callerOf = async (fields: Partial<NewApiKey> = {}) => {
    const { key } = await app.makeKey(fields);
    const { overview, documents } = app.trpc({ 'x-api-key': key });
    return { key, overview, documents };
  };

  beforeAll(async () => {
    for (const tenantId of ['acme', 'beta']) {
      const { key } = await app.makeKey({ scope: { tenantId } });
      await fill(app.trpc({ 'x-api-key': key }), tenantId);
    }
  });

  test('each part needs a permission', async () => {
    const [documents, conversations, neither] = await Promise.all(
      (['documents:read', 'conversations:read', 'keys:admin'] as const).map((one) =>
        callerOf({ scopes: [one] }),
      ),
    );
    expect(await documents?.overview.get.query({ scope })).toEqual({
      documents: { ...NO_DOCUMENTS, created: exactly(3) },
      conversations: null,
    });
    expect(await documents?.overview.usage.query({ scope })).toEqual({
      ...NOTHING_USED,
      documents: unlimited(3),
      bytes: unlimited(51),
    });
    expect(await conversations?.overview.get.query({ scope })).toEqual({
      documents: null,
      conversations: { ...NO_CONVERSATIONS, running: exactly(1), none: exactly(1) },
    });
    expect(await neither?.overview.get.query({ scope })).toEqual({
      documents: null,
      conversations: null,
    });
  });

  test('keys of some units or datasets get what is within, and nothing of the tenant as a whole', async () => {
    const unit = await callerOf({ scope: { tenantId: 'acme', tenantUnitId: 'sales' } });
    expect(await unit.overview.get.query({ scope })).toEqual({
      documents: { ...NO_DOCUMENTS, created: exactly(2) },
      conversations: { ...NO_CONVERSATIONS, running: exactly(1) },
    });
    expect(await unit.overview.usage.query({ scope })).toBeNull();
    expect(await unit.overview.rates.query({ scope })).toEqual({ stepSeconds: 60, rates: null });
    expect(await unit.overview.queue.query({ scope })).toMatchObject({ waiting: exactly(2) });

    const dataset = await callerOf({ datasetIds: ['contracts'], scopes: ['documents:read'] });
    expect(await dataset.overview.get.query({ scope })).toEqual({
      documents: { ...NO_DOCUMENTS, created: exactly(1) },
      conversations: null,
    });
    expect(await dataset.overview.usage.query({ scope })).toBeNull();
    expect(await dataset.overview.rates.query({ scope })).toEqual({ stepSeconds: 60, rates: null });
    expect(await dataset.overview.queue.query({ scope })).toMatchObject({ waiting: exactly(1) });
  });

  test('another tenant is refused', async () => {
    const { overview } = await callerOf();
    const theirs = { scope: { tenantId: 'beta' } };
    await expect(overview.get.query(theirs)).rejects.toMatchObject(foreign);
    await expect(overview.usage.query(theirs)).rejects.toMatchObject(foreign);
    await expect(overview.rates.query(theirs)).rejects.toMatchObject(foreign);
    await expect(overview.queue.query(theirs)).rejects.toMatchObject(foreign);
  });

  test('limits are those of the key and its tenant', async () => {
    const { key, overview, documents } = await callerOf();
    const { items } = await documents.list.query({ scope });
    const stream = await openStream(
      progressUrl(
        app.address,
        scope,
        items.map(({ id }) => id),
      ),
      { 'x-api-key': key },
    );
    await stream.until('data');
    const limits = await overview.limits.query();
    stream.close();
    const state = (policy: string, unit: string, amount: number) => ({
      policy,
      unit,
      amount,
      seconds: 60,
      remaining: expect.any(Number),
      resetSeconds: expect.any(Number),
    });
    expect(limits).toEqual({
      rates: [
        state('key', 'requests', 1_200),
        state('tenant', 'requests', 6_000),
        state('key-bytes', 'content-bytes', 1e6),
        state('tenant-bytes', 'content-bytes', 1e7),
      ],
      streams: [
        { subject: 'key', open: 1, limit: expect.any(Number) },
        { subject: 'tenant', open: 1, limit: expect.any(Number) },
      ],
    });
    const [ofKey, , keyBytes] = limits.rates;
    expect(ofKey?.remaining).toBeLessThan(1_200);
    expect(keyBytes?.remaining).toBe(1e6);
  });
});
