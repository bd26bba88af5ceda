import path from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectDatabase, type DatabaseClient } from '../../db/client.js';
import { seedConversations, seedDocuments } from '../../src/cli/seed/index.js';
import { failExhausted } from '../../src/ingestion/jobs/fail-exhausted.js';
import { createProcessDocument } from '../../src/ingestion/process-document.js';
import { sweepFiles } from '../../src/services/files/sweep-files.js';
import { deleteExpiredConversations } from '../../src/services/retention/delete-expired-conversations.js';
import { rollUpLists } from '../../src/services/shared/lists/list-rollup.js';
import { askForCounter } from '../../src/services/shared/lists/list-total.js';
import { deleteTenant } from '../../src/services/tenants/delete-tenant.js';
import { createLocalDisk } from '../../src/storage/local-disk.js';
import { useApp } from '../support/app.js';
import { drain } from '../support/drain.js';
import { findDrift, withoutListRollup } from './support/find-drift.js';
import { createRestClient, DOCUMENTS, TENANT, TENANT_UNIT } from './support/rest-client.js';

/* What is counted and copied, compared with a recount after every kind of write. */

const app = useApp();
const { upload, call, createDocument } = createRestClient(app);
const scope = TENANT_UNIT;
const clock = () => new Date();
const processing = {
  sourceOptions: {} as never,
  chunking: { size: 1_000 },
  maxFile: { chunks: 1_000, processorMs: 10_000 },
  isWithinQuota: async () => true,
  clock,
  log: pino({ level: 'silent' }),
};
let guarded: DatabaseClient;
let endHold: () => void;
let held: Promise<void>;

beforeAll(async () => {
  guarded = connectDatabase(app.databaseUrl, { max: 4 });
  await new Promise<void>((begun) => {
    held = withoutListRollup(guarded.db, () => {
      begun();
      return new Promise((end) => {
        endHold = end;
      });
    });
  });
});
afterAll(async () => {
  endHold?.();
  await held;
  await guarded?.close();
});

const expectExact = async () => expect(await findDrift(app.db)).toEqual({});

const statusOf = async (documentId: string) =>
  (await app.trpc().documents.get.query({ scope, documentId })).status;

const described = {
  documentType: 'UnstructuredFile',
  documentName: 'Wärmepumpe 300.md',
  title: 'The heat pump',
  customProperties: { language: 'de', pages: 3, isPublic: true, nested: { left: 'out' } },
} as const;

test('documents of each source', async () => {
  const { documents } = app.trpc();
  const bare = await documents.create.mutate({ scope, documentType: 'UnstructuredFile' });
  await expectExact();
  await documents.create.mutate({
    scope,
    ...described,
    documentContent: 'A text.',
    datasetIds: ['b', 'a', 'b'],
  });
  await expectExact();
  await documents.create.mutate({ scope, ...described, url: 'http://pages.invalid/a', datasetIds: ['c'] });
  const uploaded = await upload('A file.', 'notes.txt', { datasetIds: '["a"]' });
  await expectExact();
  await app.settle();
  expect(await statusOf(bare.id)).toBe('created');
  expect(await statusOf(uploaded.id)).toBe('ready');
  await expectExact();
  await expect(
    documents.create.mutate({ scope, id: bare.id, documentType: 'UnstructuredFile', datasetIds: ['x'] }),
  ).rejects.toThrow();
  await expectExact();
});

test('an import', async () => {
  const imported = await app.trpc().documents.createMany.mutate({
    scope,
    datasetIds: ['faq', 'all', 'faq'],
    customProperties: { from: 'an import' },
    documents: Array.from({ length: 30 }, (_, n) => ({
      documentType: n % 2 ? ('StructuredFile' as const) : ('UnstructuredFile' as const),
      documentName: `import ${n}`,
      documentContent: n % 3 ? `Text number ${n}.` : undefined,
    })),
  });
  expect(imported.created.length).toBe(30);
  await expectExact();
  await app.trpc().documents.createMany.mutate({
    scope,
    datasetIds: ['faq'],
    urls: ['http://pages.invalid/1', 'http://pages.invalid/2'],
  });
  await expectExact();
  await app.settle();
  await expectExact();
});

test('changes of a document', async () => {
  const { documents } = app.trpc();
  const { id: documentId } = await createDocument({ ...described, documentContent: 'A first text.' }, ['a']);
  const change = async (fields: object) => {
    await documents.update.mutate({ scope, documentId, ...fields });
    await expectExact();
  };
  await app.settle();
  await change({ documentName: 'Another name' });
  await change({ title: '退货说明' });
  await change({ title: null });
  await change({ category: 'rest' });
  await change({ customProperties: { language: 'en' } });
  await change({ datasetIds: ['b', 'a', '退'] });
  await change({ datasetIds: ['c'] });
  await change({ datasetIds: [] });
  await change({ datasetIds: ['a', 'b'], documentName: 'Both at once', enabled: false });
  await change({ documentName: 'Not found' });
  await change({ datasetIds: ['d'] });
  await change({ enabled: true });
  await change({ documentContent: 'A second text, which is longer.' });
  await app.settle();
  await change({ documentContent: '' });
  await change({ url: 'http://pages.invalid/changed' });
  await app.settle();
  expect(await statusOf(documentId)).toBe('failed');
  await expectExact();
  await change({ chunking: { size: 200 } });
  await app.settle();
  await expectExact();
});

test('upserts', async () => {
  const { documents } = app.trpc();
  const put = async (fields: object) => {
    const { id } = await documents.upsert.mutate({ scope, externalId: 'upserted', ...fields });
    await expectExact();
    return id;
  };
  const id = await put({ documentContent: 'A text.', documentName: 'put', datasetIds: ['z', 'y'] });
  await app.settle();
  await put({ documentContent: 'Another text.' });
  await app.settle();
  // Becomes another type.
  await put({ url: 'http://pages.invalid/put', datasetIds: ['y'], customProperties: { n: 1 } });
  await app.settle();
  await put({});
  expect(await statusOf(id)).toBe('failed');
  await expectExact();
});

test('many at once', async () => {
  const { documents } = app.trpc();
  const scope = { tenantId: 'many', tenantUnitId: 'unit' };
  const documentIds: string[] = [];
  for (let n = 0; n < 6; n++) {
    const made = await createDocument(
      { ...scope, ...described, documentContent: `Text ${n}.` },
      n % 2 ? ['a'] : [],
    );
    documentIds.push(made.id);
  }
  await app.settle();
  await documents.setEnabled.mutate({ scope, documentId: documentIds[0] as string, enabled: false });
  await expectExact();
  await documents.setEnabledMany.mutate({ scope, documentIds, enabled: false });
  await expectExact();
  await documents.setEnabledMany.mutate({ scope, documentIds: documentIds.toReversed(), enabled: true });
  await expectExact();
  await documents.setDatasetsMany.mutate({ scope, documentIds, add: ['moved', 'a'], remove: ['b'] });
  await expectExact();
  await documents.reprocessMany.mutate({ scope, documentIds, unconditional: true });
  await expectExact();
  await documents.cancelMany.mutate({ scope, documentIds });
  await expectExact();
  await app.settle();
  await documents.reprocess.mutate({ scope, documentId: documentIds[1] as string, unconditional: false });
  await expectExact();
  await app.settle();
  await documents.deleteMany.mutate({ scope, documentIds: documentIds.slice(0, 4) });
  await expectExact();
  await documents.delete.mutate({ scope, documentId: documentIds[4] as string });
  await expectExact();
});

test('processing that is cancelled', async () => {
  const { documents } = app.trpc();
  const { id: documentId } = await createDocument({ documentContent: 'A text.', documentName: 'cancelled' });
  // Where it is ready already there is nothing to cancel.
  await documents.cancel.mutate({ scope, documentId }).catch(() => {});
  await app.settle();
  await expectExact();
});

test('chunks', async () => {
  const { documents, chunks } = app.trpc();
  const paragraphs = Array.from(
    { length: 8 },
    (_, n) => `# Part ${n}\n\n${`Sentence of part ${n}. `.repeat(30)}`,
  );
  const { id: documentId } = await createDocument({
    documentName: 'parts.md',
    documentContent: paragraphs.join('\n\n'),
  });
  await app.settle();
  const { items } = await chunks.list.query({ scope, documentId, pageSize: 100 });
  expect(items.length).toBeGreaterThan(3);
  const [one, two] = items.map(({ id }) => id) as [string, string];
  await chunks.update.mutate({ scope, documentId, chunkId: one, content: 'Edited.' });
  await chunks.setStatus.mutate({ scope, documentId, chunkId: two, status: 'inactive' });
  await chunks.deleteMany.mutate({ scope, documentId, chunkIds: [two] });
  await expectExact();
  await documents.update.mutate({ scope, documentId, documentContent: paragraphs.slice(3).join('\n\n') });
  await app.settle();
  await expectExact();
  await documents.delete.mutate({ scope, documentId });
  await expectExact();
});

test('files', async () => {
  const { files, documents } = app.trpc();
  const send = (text: string) => files.upload.mutate(new Blob([text]));
  const claimed = await send('This file is claimed.');
  await expectExact();
  const { id: documentId } = await documents.create.mutate({
    scope,
    documentType: 'UnstructuredFile',
    file: { fileId: claimed.fileId, fileName: 'claimed.txt' },
  });
  await expectExact();
  const discarded = await send('This one is not needed.');
  await files.discard.mutate({ fileId: discarded.fileId });
  await expectExact();
  await send('This one expires.');
  await expectExact();
  const storage = createLocalDisk(path.join(app.dataDir, 'files'));
  const tomorrow = () => new Date(Date.now() + 25 * 3_600_000);
  for await (const _ of sweepFiles({ db: guarded.db, storage, clock: tomorrow }));
  await expectExact();
  await app.settle();
  await call(204, 'DELETE', `${DOCUMENTS}/${documentId}`, { query: TENANT });
  await expectExact();
});

test('conversations', async () => {
  const { conversations, labels } = app.trpc();
  const { id: conversationId } = await conversations.create.mutate({ scope, topic: 'first' });
  const { messageCount: _, tenantId, ...copied } = (await conversations.list.query({ scope })).items[0]!;
  await conversations.import.mutate({
    scope: { tenantId },
    conversations: [
      {
        ...copied,
        id: 'imported',
        createdTime: '2026-03-01T10:00:00.000123Z',
        status: 'succeeded',
        labels: [{ name: 'imported', color: '#ff0000' }],
        messages: [],
      },
    ],
  });
  await expectExact();
  await conversations.create.mutate({ scope, status: 'submitted', assignmentId: 'case 1' });
  await expectExact();
  await conversations.update.mutate({ scope, conversationId, topic: 'second' });
  await expectExact();
  for (const status of ['failed', 'failed', null] as const) {
    await conversations.setStatus.mutate({ scope, conversationId, status });
    await expectExact();
  }
  await conversations.update.mutate({ scope, conversationId, assignmentId: 'case 2' });
  await expectExact();
  const made = { scope, color: '#ff0000' };
  const { id: one } = await labels.create.mutate({ ...made, name: 'one' });
  const { id: two } = await labels.create.mutate({ ...made, name: 'two' });
  await conversations.setLabels.mutate({ scope, conversationId, add: [one, two] });
  await expectExact();
  await conversations.setLabels.mutate({ scope, conversationId, remove: [one] });
  await expectExact();
  for (const change of [
    { action: 'setLabels' as const, add: [one] },
    { action: 'setStatus' as const, status: 'reviewed' as const },
    { action: 'assign' as const, assignmentId: 'case 3' },
  ]) {
    await conversations.bulk.mutate({ scope, filter: {}, change });
    await expectExact();
  }
  await labels.delete.mutate({ scope, labelId: two });
  await expectExact();
  await conversations.delete.mutate({ scope, conversationId });
  await expectExact();
  await conversations.bulk.mutate({ scope, filter: { labels: [one] }, change: { action: 'delete' } });
  await expectExact();
  await conversations.create.mutate({ scope, assignmentId: 'case 4' });
  await app.trpc({ 'x-user-id': 'case 4' }).conversations.create.mutate({ scope });
  const { users, retention } = app.trpc();
  const { id: erasureId } = await users.erase.mutate({ scope, userId: 'case 4' });
  await expect
    .poll(() => users.erasure.query({ scope, erasureId }), { timeout: 60_000 })
    .toMatchObject({ finishedTime: expect.any(String), erased: { conversations: 1, names: 1 } });
  await expectExact();
  await retention.create.mutate({ scope, keepDays: 1 });
  const inTwoDays = () => new Date(Date.now() + 49 * 3_600_000);
  expect(await drain(deleteExpiredConversations(guarded.db, inTwoDays))).toEqual([1]);
  await expectExact();
});

test('the demonstration, twice', async () => {
  for (let n = 0; n < 2; n++) {
    await seedConversations(guarded.db);
    await seedDocuments(app.app.services);
    await app.settle();
    await expectExact();
  }
});

test('writers of the same documents at once', async () => {
  const { documents } = app.trpc();
  const made = [];
  for (let n = 0; n < 8; n++) made.push(await createDocument({ documentContent: `Text ${n}.` }, ['a']));
  const ids = made.map(({ id }) => id as string);
  const outcomes = await Promise.allSettled(
    ids.flatMap((documentId, n) => [
      documents.update.mutate({ scope, documentId, documentName: `name ${n}`, datasetIds: ['b'] }),
      documents.update.mutate({ scope, documentId, datasetIds: ['c', 'a'], title: 'both' }),
      documents.setEnabledMany.mutate({
        scope,
        documentIds: n % 2 ? ids : ids.toReversed(),
        enabled: n % 3 > 0,
      }),
      documents.reprocessMany.mutate({ scope, documentIds: ids, unconditional: true }),
      n % 2
        ? documents.delete.mutate({ scope, documentId })
        : documents.update.mutate({ scope, documentId, documentContent: '!' }),
    ]),
  );
  const failed = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.data.httpStatus] : []));
  expect(failed.filter((status) => status !== 404)).toEqual([]);
  await app.settle();
  await expectExact();
});

describe('without a worker', () => {
  const idle = useApp({ role: 'api' });
  const dies = () => Promise.reject(new Error('The parser has died.'));
  const failing = { sandbox: { run: dies, runStep: dies } };

  const read = (documentId: string) =>
    idle.db.selectFrom('documents').select('status').where('id', '=', documentId).executeTakeFirst();

  test('attempts that fail, and a job whose workers died', async () => {
    const { db, close } = connectDatabase(idle.databaseUrl, { max: 4 });
    await withoutListRollup(db, async () => {
      const { id: documentId } = await createRestClient(idle).createDocument({ documentContent: 'A text.' }, [
        'a',
      ]);
      expect(await findDrift(idle.db)).toEqual({});
      const processDocument = createProcessDocument({ ...processing, ...failing, db });
      const key = { tenantId: scope.tenantId, documentId };
      const isHeld = async () => true;
      await expect(
        processDocument(key, { lane: 'large', outages: 0, isLastAttempt: false, isHeld }),
      ).rejects.toThrow();
      expect(await read(documentId)).toEqual({ status: 'processing' });
      expect(await findDrift(idle.db)).toEqual({});
      const job = await idle.db
        .updateTable('processingJobs')
        .set({ leaseOwner: 'a worker' })
        .returningAll()
        .executeTakeFirstOrThrow();
      expect(await failExhausted(db, job as never)).toBe(true);
      expect(await read(documentId)).toEqual({ status: 'failed' });
      expect(await findDrift(idle.db)).toEqual({});
      await idle.trpc().documents.reprocess.mutate({ scope, documentId, unconditional: false });
      await processDocument(key, { lane: 'large', outages: 0, isLastAttempt: true, isHeld });
      expect(await read(documentId)).toEqual({ status: 'failed' });
      expect(await findDrift(idle.db)).toEqual({});
    }).finally(close);
  });
});

describe('once changes of lists are folded', () => {
  const counters = [
    { tenantId: scope.tenantId, list: 'documents' },
    { tenantId: scope.tenantId, list: 'documents', statuses: ['ready'] },
    { tenantId: scope.tenantId, list: 'documents', datasetIds: ['a'] },
    { tenantId: scope.tenantId, list: 'conversations' },
  ] as const;

  const rollUp = async () => {
    while (await rollUpLists(guarded.db));
  };

  const expectCounted = async () => {
    await rollUp();
    const { rows } = await sql<{ list: string; counted: number; kept: number }>`
      select c.list, sum(r.count)::bigint as counted, case
        when c.list = 'conversations' then (select count(*) from conversations where tenant_id = ${scope.tenantId})
        else (select count(*) from documents where tenant_id = ${scope.tenantId}
          and (c.statuses is null or status = any(c.statuses))
          and (c.dataset_ids is null or dataset_ids && c.dataset_ids)) end as kept
      from list_counters as c join list_counter_ranges as r on r.tenant_id = c.tenant_id and r.counter_id = c.id
      where c.tenant_id = ${scope.tenantId} group by c.tenant_id, c.id
    `.execute(app.db);
    expect(rows.length).toBe(counters.length);
    expect(rows.filter(({ counted, kept }) => counted !== kept)).toEqual([]);
  };

  test('a tenant that is deleted leaves the totals of others right', async () => {
    endHold();
    await held;
    await rollUp();
    for (const counter of counters) await askForCounter(app.db, counter);
    await expectCounted();
    const other = { tenantId: 'leaving', tenantUnitId: 'unit' };
    await app.trpc().conversations.create.mutate({ scope: other });
    await createDocument({ ...other, ...described, documentContent: 'A text that goes.' }, ['a', 'b']);
    await app.settle();
    await expectCounted();
    const storage = createLocalDisk(path.join(app.dataDir, 'files'));
    await deleteTenant({ db: guarded.db, storage, tenantId: other.tenantId, clock });
    await expectCounted();
    expect(await findDrift(app.db, { isFolded: true })).toEqual({});
  });
});
