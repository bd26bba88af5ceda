import { readdirSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { blockedStatements } from '../support/blocked-statements.js';
import { waitFor } from '../support/wait-for.js';
import type { Outcome } from './support/races/possible-order.js';
import { type PairAction, racePairs } from './support/races/race-pairs.js';
import { sendCall } from './support/races/send-call.js';
import { signIn } from './support/sign-in.js';
import { type Consumer, startConsumer } from './support/webhook-consumer.js';

/* Pairs of actions at the same moment, on conversations, webhooks, keys, sessions, files and evaluations. */

const app = useApp({ fetchAllowHosts: ['127.0.0.1'] });
const guarded = useApp({ authMode: 'required' }, { beside: app });
const scope = { tenantId: 'acme', tenantUnitId: 'unit' };
let consumer: Consumer;

beforeAll(async () => {
  consumer = await startConsumer();
});
afterAll(() => consumer?.stop());

async function mustCall(procedure: string, input: object): Promise<any> {
  const { status, data } = await sendCall(app, procedure, { scope, ...input });
  expect({ procedure, status }).toEqual({ procedure, status: 200 });
  return data;
}

/** What answers 404 where the record is gone. */
const ifThere =
  <State extends object>(outcomes: (state: State) => { status?: number; change?: Partial<State> }[]) =>
  (state: State | 'gone'): Outcome<State | 'gone'>[] =>
    state === 'gone'
      ? [{ status: 404, state }]
      : outcomes(state).map(({ status = 200, change = {} }) => ({ status, state: { ...state, ...change } }));

const untilGone = <State>(state: State | 'gone'): Outcome<State | 'gone'>[] => [
  { status: state === 'gone' ? 404 : 200, state: 'gone' },
];

test('conversations', async () => {
  type State = { version: number; topic: string | null; status: string };
  type Action = PairAction<State | 'gone', string>;
  const seen = ifThere<State>(() => [{}]);
  const action = (name: string, procedure: string, input: object, outcomes: Action['outcomes']): Action => ({
    name,
    outcomes,
    isRead: outcomes === seen,
    send: (conversationId) => sendCall(app, procedure, { scope, conversationId, ...input }),
  });
  const changed = (change: Partial<State>) =>
    ifThere<State>(({ version }) => [{ change: { ...change, version: version + 1 } }]);
  const actions = [
    action('rename', 'conversations.update', { topic: 'Mine' }, changed({ topic: 'Mine' })),
    action(
      'rename if unchanged',
      'conversations.update',
      { topic: 'If', expectedVersion: 1 },
      ifThere<State>(({ version }) =>
        version === 1 ? [{ change: { topic: 'If', version: 2 } }] : [{ status: 412 }],
      ),
    ),
    ...['running', 'succeeded', 'failed'].map((status) =>
      action(`set ${status}`, 'conversations.setStatus', { status }, changed({ status })),
    ),
    action('delete', 'conversations.delete', {}, untilGone),
    action('get', 'conversations.get', {}, seen),
    action('messages', 'messages.list', {}, seen),
    action('history', 'conversations.statusHistory', {}, seen),
  ];
  const wrong = await racePairs<State | 'gone', string>({
    actions,
    states: ['running', 'succeeded', 'failed', 'deleted'],
    async prepare(state) {
      const status = state === 'deleted' ? 'running' : state;
      const { id } = await mustCall('conversations.create', { status, topic: 'First' });
      if (state === 'deleted') await mustCall('conversations.delete', { conversationId: id });
      const there = { version: 1, topic: 'First', status };
      return { subject: id, before: state === 'deleted' ? 'gone' : there };
    },
    async readEnd(conversationId) {
      const { status: found, data } = await sendCall(app, 'conversations.get', { scope, conversationId });
      if (found !== 200) return 'gone';
      const { version, topic, status } = data;
      return { version, topic, status };
    },
  });
  expect(wrong).toEqual([]);
  const { rows: broken } = await sql`
    select * from (
      select to_status, lead(from_status) over (partition by tenant_id, conversation_id order by id) as next
      from conversation_status_changes) as changes
    where to_status <> next`.execute(app.db);
  expect(broken).toEqual([]);
});

describe('webhooks', () => {
  const create = (url = consumer.url, eventTypes = ['conversation.created']) =>
    mustCall('webhooks.create', {
      url,
      eventTypes,
      scope: { tenantId: scope.tenantId },
    });

  test('each action with each other', async () => {
    type State = { enabled: boolean; isPaused: boolean; description: string | null };
    type Action = PairAction<State | 'gone', string>;
    const action = (
      name: string,
      procedure: string,
      input: object,
      outcomes: Action['outcomes'],
    ): Action => ({
      name,
      outcomes,
      send: (webhookId) =>
        sendCall(app, procedure, { scope: { tenantId: scope.tenantId }, webhookId, ...input }),
    });
    const seen = ifThere<State>(() => [{}]);
    const actions: Action[] = [
      action(
        'describe',
        'webhooks.update',
        { description: 'Mine' },
        ifThere<State>(() => [{ change: { description: 'Mine' } }]),
      ),
      action(
        'disable',
        'webhooks.update',
        { enabled: false },
        ifThere<State>(() => [{ change: { enabled: false } }]),
      ),
      action(
        'enable',
        'webhooks.update',
        { enabled: true },
        ifThere<State>(({ enabled }) => [
          { change: { enabled: true, ...(!enabled && { isPaused: false }) } },
        ]),
      ),
      // Its answer is read afterwards.
      action('rotate secret', 'webhooks.rotateSecret', {}, (state) =>
        state === 'gone' ? [{ status: 404, state }] : [200, 404].map((status) => ({ status, state })),
      ),
      action(
        'resume',
        'webhooks.resume',
        {},
        ifThere<State>(({ enabled }) => [enabled ? { change: { isPaused: false } } : { status: 409 }]),
      ),
      action(
        'test',
        'webhooks.test',
        {},
        ifThere<State>(({ enabled, isPaused }) => [enabled && !isPaused ? {} : { status: 409 }]),
      ),
      action('replay', 'webhooks.replay', { failedSince: '2020-01-01T00:00:00Z' }, seen),
      action('deliveries', 'webhooks.deliveries', {}, seen),
      action('delete', 'webhooks.delete', {}, untilGone),
      {
        name: 'event',
        outcomes: (state) => [{ status: 200, state }],
        send: () => sendCall(app, 'conversations.create', { scope }),
      },
    ];
    const wrong = await racePairs<State | 'gone', string>({
      actions,
      states: ['active', 'disabled', 'paused', 'deleted'],
      async prepare(state) {
        // The delivery of an event from before would end the pause: until then it gets none.
        const events = state === 'paused' ? ['document.created'] : ['conversation.created'];
        const { id: webhookId } = await create(consumer.url, events);
        const ref = { scope: { tenantId: scope.tenantId }, webhookId };
        if (state === 'deleted') await mustCall('webhooks.delete', ref);
        if (state === 'disabled') await mustCall('webhooks.update', { ...ref, enabled: false });
        if (state === 'paused')
          await app.db
            .updateTable('webhookSubscriptions')
            .set({
              eventTypes: ['conversation.created'],
              pausedTime: new Date(),
              heldUntil: new Date('2100-01-01'),
            })
            .where('id', '=', webhookId)
            .execute();
        const there = { enabled: state !== 'disabled', isPaused: state === 'paused', description: null };
        return { subject: webhookId, before: state === 'deleted' ? 'gone' : there };
      },
      async readEnd(webhookId) {
        const ref = { scope: { tenantId: scope.tenantId }, webhookId };
        const { status, data } = await sendCall(app, 'webhooks.get', ref);
        if (status !== 200) return 'gone';
        // A tenant has at most twenty.
        await sendCall(app, 'webhooks.delete', ref);
        return { enabled: data.enabled, isPaused: data.pausedTime !== null, description: data.description };
      },
    });
    expect(wrong).toEqual([]);
    const { rows } = await sql`select from webhook_deliveries`.execute(app.db);
    expect(rows).toEqual([]);
  });

  test('an event that meets the deletion of its webhook', async () => {
    const { id } = await create();
    const answers: Promise<{ status: number }>[] = [];
    await app.db.transaction().execute(async (tx) => {
      await sql`delete from webhook_subscriptions where id = ${id}`.execute(tx);
      answers.push(sendCall(app, 'conversations.create', { scope }));
      await waitFor(async () => (await countBlocked()) === 1, { what: 'the event to wait' });
    });
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200]);
  });
});

const countBlocked = async () => (await blockedStatements(app.db)).length;

test('keys and their sessions', async () => {
  const maker = await guarded.makeKey();
  type State = { isRevoked: boolean; isRotated: boolean };
  type Subject = { keyId: string; key: string; cookie: Record<string, string> };
  type Action = PairAction<State, Subject>;
  const asMaker = { 'x-api-key': maker.key };
  const isValid = ({ isRevoked }: State) => !isRevoked;
  const use = (
    name: string,
    procedure: string,
    input: object,
    headers: (subject: Subject) => Record<string, string>,
  ): Action => ({
    name,
    outcomes: (state) => [{ status: isValid(state) ? 200 : 401, state }],
    send: (subject) => sendCall(guarded, procedure, input, headers(subject)),
  });
  const byKey = ({ key }: Subject) => ({ 'x-api-key': key });
  const keyScope = { tenantId: scope.tenantId };
  const actions: Action[] = [
    use('list', 'conversations.list', { scope: keyScope }, byKey),
    use('list in a session', 'conversations.list', { scope: keyScope }, ({ cookie }) => cookie),
    use('sign in', 'session.create', {}, byKey),
    use('create key', 'apiKeys.create', { scope: keyScope, scopes: ['search'], name: 'child' }, byKey),
    {
      name: 'rotate',
      outcomes: (state) => [
        state.isRevoked || state.isRotated
          ? { status: 409, state }
          : { status: 200, state: { ...state, isRotated: true } },
      ],
      send: ({ keyId }) => sendCall(guarded, 'apiKeys.rotate', { scope: keyScope, keyId }, asMaker),
    },
    {
      name: 'revoke',
      outcomes: (state) => [{ status: 200, state: { ...state, isRevoked: true } }],
      send: ({ keyId }) => sendCall(guarded, 'apiKeys.revoke', { scope: keyScope, keyId }, asMaker),
    },
  ];
  const wrong = await racePairs<State, Subject>({
    actions,
    states: ['active', 'rotated', 'revoked'],
    async prepare(state) {
      const { id: keyId, key } = await guarded.makeKey();
      const cookie = { ...(await signIn(guarded, key)) };
      const change = { rotated: 'rotate', revoked: 'revoke' }[state];
      if (change) {
        const { status } = await sendCall(guarded, `apiKeys.${change}`, { scope: keyScope, keyId }, asMaker);
        expect(status).toBe(200);
      }
      return {
        subject: { keyId, key, cookie },
        before: { isRevoked: state === 'revoked', isRotated: state === 'rotated' },
      };
    },
    async readEnd(subject) {
      const { status } = await sendCall(guarded, 'conversations.list', { scope: keyScope }, byKey(subject));
      const row = await app.db
        .selectFrom('apiKeys')
        .select('successorId')
        .where('id', '=', subject.keyId)
        .executeTakeFirst();
      const session = await sendCall(guarded, 'conversations.list', { scope: keyScope }, subject.cookie);
      expect(session.status).toBe(status);
      return { isRevoked: status === 401, isRotated: row?.successorId != null };
    },
  });
  expect(wrong).toEqual([]);
});

test('received files', async () => {
  type State = { owner: 'nobody' | 'one' | 'other' | 'none' };
  type Action = PairAction<State, string>;
  const create = (owner: 'one' | 'other'): Action => ({
    name: `create ${owner}`,
    // Where it is there already, its id is taken; where another has the file, that is unknown.
    outcomes: (state) =>
      state.owner === 'nobody'
        ? [{ status: 200, state: { owner } }]
        : [{ status: state.owner === owner ? 409 : 422, state }],
    send: (fileId) =>
      sendCall(app, 'documents.create', {
        scope,
        id: `${owner}-${fileId}`,
        documentType: 'UnstructuredFile',
        file: { fileId },
      }),
  });
  const discard: Action = {
    name: 'discard',
    outcomes: (state) => [{ status: 200, state: state.owner === 'nobody' ? { owner: 'none' } : state }],
    send: (fileId) => sendCall(app, 'files.discard', { scope, fileId }),
  };
  const storedFiles = () =>
    readdirSync(path.join(app.dataDir, 'files'), { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    ).length;
  for (let round = 0; round < 2; round++) {
    const wrong = await racePairs<State, string>({
      actions: [create('one'), create('other'), discard],
      states: ['received'],
      async prepare() {
        const { fileId } = await app.trpc().files.upload.mutate(new Blob(['A file.']) as never);
        return { subject: fileId, before: { owner: 'nobody' } };
      },
      async readEnd(fileId) {
        for (const owner of ['one', 'other'] as const) {
          const ref = { scope, documentId: `${owner}-${fileId}` };
          if ((await sendCall(app, 'documents.get', ref)).status === 200) return { owner };
        }
        return { owner: 'none' };
      },
    });
    expect(wrong).toEqual([]);
  }
  await app.settle();
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from document_sources where file_key is not null) + (select count(*) from uploads) as count
  `.execute(app.db);
  expect(storedFiles()).toBe(rows[0]?.count);
});

test('evaluations', async () => {
  const document = await mustCall('documents.create', {
    documentType: 'UnstructuredFile',
    documentContent: 'We pay the postage.',
    datasetIds: ['faq'],
  });
  await app.settle();
  const { items } = await mustCall('chunks.list', { documentId: document.id });
  const judged = {
    scope,
    query: 'Who pays the postage?',
    datasetIds: ['faq'],
    expected: [{ documentId: document.id, chunkId: items[0].id }],
  };
  type State = { isFirstThere: boolean; others: number };
  type Subject = { collection: string; questionId: string };
  type Action = PairAction<State, Subject>;
  const isThere = ({ isFirstThere, others }: State) => isFirstThere || others > 0;
  const always: Action['outcomes'] = (state) => [{ status: 200, state }];
  const actions: Action[] = [
    {
      name: 'add',
      outcomes: (state) => [{ status: 200, state: { ...state, others: state.others + 1 } }],
      send: ({ collection }) => sendCall(app, 'evaluations.saveQuestion', { ...judged, collection }),
    },
    {
      name: 'replace',
      outcomes: (state) => [{ status: state.isFirstThere ? 200 : 404, state }],
      send: (subject) => sendCall(app, 'evaluations.saveQuestion', { ...judged, ...subject }),
    },
    {
      name: 'remove',
      outcomes: (state) => [
        { status: state.isFirstThere ? 200 : 404, state: { ...state, isFirstThere: false } },
      ],
      send: ({ questionId }) => sendCall(app, 'evaluations.removeQuestion', { scope, questionId }),
    },
    {
      name: 'run',
      outcomes: (state) => [{ status: isThere(state) ? 200 : 404, state }],
      send: ({ collection }) => sendCall(app, 'evaluations.run', { scope, collection }),
    },
    { name: 'list', outcomes: always, send: () => sendCall(app, 'evaluations.list', { scope }) },
    {
      name: 'runs',
      outcomes: always,
      send: ({ collection }) => sendCall(app, 'evaluations.runs', { scope, collection }),
    },
  ];
  let made = 0;
  const isGoneWithRuns: string[] = [];
  const wrong = await racePairs<State, Subject>({
    actions,
    states: ['judged', 'empty'],
    async prepare(state) {
      const collection = `collection-${made++}`;
      const { id: questionId } = await mustCall('evaluations.saveQuestion', { ...judged, collection });
      if (state === 'empty') await mustCall('evaluations.removeQuestion', { questionId });
      return {
        subject: { collection, questionId },
        before: { isFirstThere: state === 'judged', others: 0 },
      };
    },
    async readEnd({ collection, questionId }) {
      const found = await mustCall('evaluations.questions', { collection });
      const ids = found.items.map(({ id }: { id: string }) => id);
      const runs = await mustCall('evaluations.runs', { collection });
      if (ids.length === 0 && runs.length > 0) isGoneWithRuns.push(collection);
      for (const id of ids) await mustCall('evaluations.removeQuestion', { questionId: id });
      const isFirstThere = ids.includes(questionId);
      return { isFirstThere, others: ids.length - (isFirstThere ? 1 : 0) };
    },
  });
  expect(wrong).toEqual([]);
  expect(isGoneWithRuns).toEqual([]);
});

test('a run that ends when its collection is gone', async () => {
  const document = await mustCall('documents.create', {
    documentType: 'UnstructuredFile',
    documentContent: 'We pay the postage.',
    datasetIds: ['faq'],
  });
  await app.settle();
  const { items } = await mustCall('chunks.list', { documentId: document.id });
  const { id: questionId } = await mustCall('evaluations.saveQuestion', {
    collection: 'short-lived',
    query: 'Who pays the postage?',
    datasetIds: ['faq'],
    expected: [{ documentId: document.id, chunkId: items[0].id }],
  });
  const answers: Promise<{ status: number }>[] = [];
  await app.db.transaction().execute(async (tx) => {
    await sql`lock table evaluation_runs in share mode`.execute(tx);
    answers.push(sendCall(app, 'evaluations.run', { scope, collection: 'short-lived' }));
    await waitFor(async () => (await countBlocked()) === 1, { what: 'the run to be stored' });
    answers.push(sendCall(app, 'evaluations.removeQuestion', { scope, questionId }));
    await waitFor(async () => (await countBlocked()) === 2, { what: 'the question to be removed' });
  });
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  expect(await mustCall('evaluations.runs', { collection: 'short-lived' })).toEqual([]);
});

/** With paragraphs in another order, chunks are in another order than that of their ids. */
test.each([
  ['documents.delete', {}, [200, 404]],
  ['documents.reprocess', {}, [200, 200]],
  ['documents.update', { documentContent: 'Another text.' }, [200, 404]],
] as const)('%s at the same moment as a change of many chunks', async (procedure, fields, expected) => {
  const paragraphs = Array.from(
    { length: 60 },
    (_, n) => `Paragraph ${n}. ${`Goods ${n} come back. `.repeat(40)}`,
  );
  const make = (documentContent: string) =>
    mustCall('documents.upsert', { externalId: procedure, chunking: { overlap: 0 }, documentContent });
  const { id: documentId } = await make(paragraphs.join('\n\n'));
  await app.settle();
  await make(paragraphs.toReversed().join('\n\n'));
  await app.settle();
  const { items } = await mustCall('chunks.list', { documentId, pageSize: 100 });
  const chunkIds: string[] = items.map(({ id }: { id: string }) => id);
  expect(chunkIds).toEqual(chunkIds.toSorted().toReversed());
  const answers: Promise<{ status: number }>[] = [];
  await app.db.transaction().execute(async (tx) => {
    // Either gets to the middle.
    await sql`select from chunks where tenant_id = ${scope.tenantId} and id = ${chunkIds[30]} for update`.execute(
      tx,
    );
    answers.push(sendCall(app, procedure, { scope, documentId, ...fields }));
    await waitFor(async () => (await countBlocked()) === 1, { what: 'the document to be written' });
    answers.push(sendCall(app, 'chunks.setStatusMany', { scope, documentId, chunkIds, status: 'inactive' }));
    await waitFor(async () => (await countBlocked()) === 2, { what: 'the chunks to be written' });
  });
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(expected);
  await app.settle();
});
