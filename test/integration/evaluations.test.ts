import { v7 as uuid } from 'uuid';
import { beforeEach, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { TIME, UUID } from './support/rest-client.js';

const app = useApp({ authMode: 'required' });

const TEXTS = {
  returns: 'We pay the postage of every return.',
  deliveries: 'Deliveries take three days, returns a week.',
  board: 'The board talks of returns and of postage.',
};
type Name = keyof typeof TEXTS;

/** A unit of its own for each test. */
let scope: { tenantId: string; tenantUnitId: string };
let made: Record<Name, { documentId: string; chunkId: string }>;
let writer: ReturnType<typeof app.trpc>;
let units = 0;

const callerWith = async (fields: object = {}) => {
  const { key } = await app.makeKey({ scope, ...fields });
  return app.trpc({ 'x-api-key': key });
};

beforeEach(async () => {
  scope = { tenantId: 'acme', tenantUnitId: `unit-${units++}` };
  writer = await callerWith();
  made = {} as typeof made;
  for (const [documentName, documentContent] of Object.entries(TEXTS)) {
    const { id: documentId } = await writer.documents.create.mutate({
      scope,
      documentType: 'UnstructuredFile',
      documentName,
      documentContent,
      datasetIds: [documentName === 'board' ? 'board' : 'faq'],
    });
    made[documentName as Name] = { documentId, chunkId: '' };
  }
  await app.settle();
  for (const one of Object.values(made)) {
    const { items } = await writer.chunks.list.query({ scope, documentId: one.documentId });
    one.chunkId = items[0]?.id as string;
  }
});

const about = (name: Name, grade = 1) => ({ ...made[name], grade });
const searchable = (name: Name, grade = 1) => ({
  ...about(name, grade),
  state: 'searchable',
  documentName: name,
  excerpt: TEXTS[name],
});
const lost = (name: Name, state: 'hidden' | 'gone') => ({
  ...about(name),
  state,
  documentName: null,
  excerpt: null,
});
const save = (fields: object = {}, caller = writer) =>
  caller.evaluations.saveQuestion.mutate({
    scope,
    collection: 'shop',
    query: 'Who pays the postage of returns?',
    datasetIds: ['faq'],
    expected: [about('returns', 3), about('deliveries')],
    ...fields,
  });
const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    ({ data }) => ({ status: data.httpStatus, detail: data.detail }),
  );
const page = { page: 1, pageSize: 50, totalPages: 1, hasNextPage: false };

test('a question is saved, listed, replaced and removed', async () => {
  const { evaluations } = writer;
  const question = {
    id: UUID,
    collection: 'shop',
    query: 'Who pays the postage of returns?',
    language: 'english',
    datasetIds: ['faq'],
    createdTime: TIME,
    updatedTime: TIME,
    source: null,
    expected: [searchable('returns', 3), searchable('deliveries')],
  };
  const saved = await save();
  expect(saved).toEqual(question);
  const ref = { scope, collection: 'shop' };
  expect(await evaluations.questions.query(ref)).toEqual({ ...page, items: [saved], totalCount: 1 });
  expect(await evaluations.list.query({ scope })).toEqual([
    { collection: 'shop', questions: 1, lastRun: null },
  ]);
  expect(await evaluations.runs.query(ref)).toEqual([]);

  const replaced = await save({
    questionId: saved.id,
    collection: 'post',
    query: '邮费',
    language: 'chinese',
    expected: [about('deliveries'), about('deliveries')],
  });
  expect(replaced).toEqual({
    ...question,
    id: saved.id,
    collection: 'post',
    query: '邮费',
    language: 'chinese',
    expected: [searchable('deliveries')],
  });
  expect(await evaluations.list.query({ scope })).toEqual([
    { collection: 'post', questions: 1, lastRun: null },
  ]);
  await evaluations.removeQuestion.mutate({ scope, questionId: saved.id });
  expect(await evaluations.list.query({ scope })).toEqual([]);
});

test('a run measures what is found, and is kept', async () => {
  const { evaluations } = writer;
  const first = await save();
  const second = await save({ query: 'zebra', expected: [about('returns')] });
  const ref = { scope, collection: 'shop' };
  const ran = await evaluations.run.mutate({ ...ref, mode: 'lexical' });
  const { byQuestion, ...run } = ran;
  expect(run).toEqual({
    id: UUID,
    createdTime: TIME,
    synonyms: true,
    askedMode: 'lexical',
    modes: ['lexical'],
    engines: ['postgres'],
    questions: 2,
    expected: 3,
    gone: 0,
    ndcgAt10: 0.5,
    recallAt5: 0.5,
    durationMs: expect.any(Number),
  });
  expect(byQuestion).toEqual([
    {
      questionId: first.id,
      query: first.query,
      ndcgAt10: 1,
      recallAt5: 1,
      expected: [
        { ...searchable('returns', 3), rank: 1 },
        { ...searchable('deliveries'), rank: 2 },
      ],
    },
    {
      questionId: second.id,
      query: 'zebra',
      ndcgAt10: 0,
      recallAt5: 0,
      expected: [{ ...searchable('returns'), rank: null }],
    },
  ]);
  const later = await evaluations.run.mutate(ref);
  expect(later).toMatchObject({ askedMode: null, modes: ['lexical'], ndcgAt10: 0.5 });
  const { byQuestion: _, ...last } = later;
  expect(await evaluations.runs.query(ref)).toEqual([last, run]);
  expect(await evaluations.list.query({ scope })).toEqual([
    { collection: 'shop', questions: 2, lastRun: last },
  ]);
});

test('a retried run is the same run', async () => {
  await save();
  const { key } = await app.makeKey({ scope });
  const retrying = app.trpc({ 'x-api-key': key, 'idempotency-key': 'once' }).evaluations;
  const ref = { scope, collection: 'shop' };
  expect(await retrying.run.mutate(ref)).toEqual(await retrying.run.mutate(ref));
  expect(await retrying.runs.query(ref)).toHaveLength(1);
});

test('what became of expected chunks is told, and what is gone counts as not found', async () => {
  const { evaluations, chunks, documents } = writer;
  await save({
    datasetIds: ['faq', 'board'],
    expected: [about('returns'), about('deliveries'), about('board')],
  });
  const chunkRef = { scope, ...made.returns };
  await chunks.setStatus.mutate({ ...chunkRef, status: 'inactive' });
  await documents.delete.mutate({ scope, documentId: made.deliveries.documentId });
  const ref = { scope, collection: 'shop' };
  const { items } = await evaluations.questions.query(ref);
  const expected = [lost('returns', 'hidden'), lost('deliveries', 'gone'), searchable('board')];
  expect(items[0]?.expected).toEqual(expected);
  const { byQuestion, ...run } = await evaluations.run.mutate(ref);
  expect(run).toMatchObject({ questions: 1, expected: 3, gone: 1, recallAt5: expect.closeTo(1 / 3) });
  expect(byQuestion[0]?.expected).toEqual([
    { ...expected[0], rank: null },
    { ...expected[1], rank: null },
    { ...expected[2], rank: 1 },
  ]);
});

describe('a key of some datasets', () => {
  test('sees and runs the questions about those alone', async () => {
    const mine = await save();
    await save({ datasetIds: ['faq', 'board'], expected: [about('board')] });
    await save({ collection: 'secret', datasetIds: ['board'], expected: [about('board')] });
    const ref = { scope, collection: 'shop' };
    await writer.evaluations.run.mutate(ref);
    const { evaluations } = await callerWith({ datasetIds: ['faq'], scopes: ['search'] });
    expect(await evaluations.list.query({ scope })).toEqual([
      { collection: 'shop', questions: 1, lastRun: null },
    ]);
    expect(await evaluations.questions.query(ref)).toEqual({ ...page, items: [mine], totalCount: 1 });
    // That one was about more.
    expect(await evaluations.runs.query(ref)).toEqual([]);
    expect(await evaluations.run.mutate(ref)).toMatchObject({ questions: 1, ndcgAt10: 1 });
    const asked = await errorOf(evaluations.run.mutate({ scope, collection: 'secret' }));
    expect(asked).toEqual(await errorOf(evaluations.run.mutate({ scope, collection: 'unknown' })));
    expect(asked).toEqual({
      status: 404,
      detail: [{ type: 'not_found', loc: ['collection'], msg: 'Collection not found.' }],
    });
  });

  test('expects no chunk of others, and is told the same as of none', async () => {
    const caller = await callerWith({ datasetIds: ['faq'], scopes: ['documents:write'] });
    const unknown = { documentId: 'unknown', chunkId: 'unknown', grade: 1 };
    const asked = await errorOf(save({ expected: [about('returns'), unknown] }, caller));
    expect(asked).toEqual({
      status: 404,
      detail: [{ type: 'not_found', loc: ['expected', 1, 'chunkId'], msg: 'Chunk not found.' }],
    });
    expect(await errorOf(save({ expected: [about('returns'), about('board')] }, caller))).toEqual(asked);
    const secret = await save({ datasetIds: ['board'], expected: [about('board')] });
    const missing = await errorOf(save({ questionId: 'unknown' }, caller));
    expect(missing).toEqual({
      status: 404,
      detail: [{ type: 'not_found', loc: ['questionId'], msg: 'Question not found.' }],
    });
    expect(await errorOf(save({ questionId: secret.id }, caller))).toEqual(missing);
    const remove = (questionId: string) =>
      errorOf(caller.evaluations.removeQuestion.mutate({ scope, questionId }));
    expect(await remove(secret.id)).toEqual(await remove('unknown'));
  });
});

test('writing takes the permission to write documents, running that to search', async () => {
  await save();
  const caller = await callerWith({ scopes: ['search'] });
  expect(await errorOf(save({}, caller))).toMatchObject({ status: 403 });
  expect(await caller.evaluations.run.mutate({ scope, collection: 'shop' })).toMatchObject({ questions: 1 });
});

test('what is too much is refused', async () => {
  const many = Array.from({ length: 200 }, (_, place) => `Question ${place}`);
  for (const query of many) await save({ query });
  expect(await errorOf(save())).toEqual({
    status: 409,
    detail: [
      {
        type: 'conflict',
        loc: ['collection'],
        msg: 'A collection has at most 200 questions; remove one first.',
      },
    ],
  });
  expect(await errorOf(save({ expected: [] }))).toMatchObject({ status: 422 });
  expect(await errorOf(save({ expected: [about('returns', 4)] }))).toMatchObject({ status: 422 });
  expect(await errorOf(save({ datasetIds: [] }))).toMatchObject({ status: 422 });
  const ran = await writer.evaluations.run.mutate({ scope, collection: 'shop' });
  expect(ran).toMatchObject({ questions: 200, expected: 400 });
});

test('the last 50 runs are kept', async () => {
  await save();
  const ref = { scope, collection: 'shop' };
  const ids: string[] = [];
  for (let i = 0; i < 52; i++) ids.unshift((await writer.evaluations.run.mutate(ref)).id);
  const runs = await writer.evaluations.runs.query(ref);
  expect(runs.map(({ id }) => id)).toEqual(ids.slice(0, 50));
});

describe('a question from a bad answer', () => {
  type Request = Parameters<(typeof writer)['evaluations']['addFromMessage']['mutate']>[0];

  async function converse(...contents: [messageFrom: string, content: string][]) {
    const messages = contents.map(([messageFrom, content]) => ({ id: uuid(), messageFrom, content }));
    const { conversationId } = await writer.messages.append.mutate({ scope, conversation: {}, messages });
    return { conversationId, ids: messages.map(({ id }) => id) };
  }
  const add = (fields: Partial<Request> & Pick<Request, 'conversationId' | 'messageId'>, caller = writer) =>
    caller.evaluations.addFromMessage.mutate({
      scope,
      collection: 'shop',
      datasetIds: ['faq'],
      expected: [about('returns', 3)],
      ...fields,
    });

  test('is what the user had asked before it, and knows where it is from', async () => {
    const { conversationId, ids } = await converse(
      ['user', 'Hello!'],
      ['agent', 'Hello.'],
      ['user', 'Who pays the postage?'],
      ['tool', 'search: 0 hits'],
      ['agent', 'I do not know.'],
      ['user', 'Really?'],
    );
    const messageId = ids[4] as string;
    const added = await add({ conversationId, messageId });
    expect(added).toEqual({
      id: UUID,
      collection: 'shop',
      query: 'Who pays the postage?',
      language: 'english',
      datasetIds: ['faq'],
      expected: [searchable('returns', 3)],
      source: { conversationId, messageId },
      createdTime: TIME,
      updatedTime: TIME,
    });
    const ref = { scope, collection: 'shop' };
    expect((await writer.evaluations.questions.query(ref)).items).toEqual([added]);
    expect(await writer.evaluations.run.mutate({ ...ref, mode: 'lexical' })).toMatchObject({ questions: 1 });

    const replaced = await save({ questionId: added.id, query: 'Who pays for returns?' });
    expect(replaced).toMatchObject({ query: 'Who pays for returns?', source: { conversationId, messageId } });
    await writer.conversations.delete.mutate({ scope, conversationId });
    expect((await writer.evaluations.questions.query(ref)).items).toEqual([replaced]);
  });

  test('may be named by the question itself, and is cut to what a question may have', async () => {
    const { conversationId, ids } = await converse(['user', '📦'.repeat(2_500)]);
    const { query } = await add({ conversationId, messageId: ids[0] as string });
    expect(query).toBe('📦'.repeat(2_000));
  });

  test('is audited without its text', async () => {
    const { conversationId, ids } = await converse(['user', 'A secret?'], ['agent', 'No.']);
    const { id } = await add({ conversationId, messageId: ids[1] as string });
    const admin = await callerWith({ scope: { tenantId: scope.tenantId } });
    const { items } = await admin.audit.list.query({ scope: { tenantId: scope.tenantId }, subjectId: id });
    expect(items).toMatchObject([
      {
        action: 'evaluations.addFromMessage',
        subjectType: 'evaluation',
        before: null,
        after: {
          collection: 'shop',
          language: 'english',
          datasetIds: ['faq'],
          expected: [{ chunkId: made.returns.chunkId, grade: 3 }],
        },
      },
    ]);
    expect(JSON.stringify(items)).not.toContain('secret');
  });

  test('needs the permissions to read conversations and to write documents', async () => {
    const { conversationId, ids } = await converse(['user', 'Who?'], ['agent', 'Nobody.']);
    const answer = { conversationId, messageId: ids[1] as string };
    const lacking = (permission: string) => ({
      status: 403,
      detail: [
        {
          type: 'forbidden',
          loc: [],
          msg: `This API key may not do this: it lacks the scope ${permission}.`,
        },
      ],
    });
    const blind = await callerWith({ scopes: ['documents:write', 'search'] });
    expect(await errorOf(add(answer, blind))).toEqual(lacking('conversations:read'));
    const reader = await callerWith({ scopes: ['conversations:read', 'search'] });
    expect(await errorOf(add(answer, reader))).toEqual(lacking('documents:write'));
    const both = await callerWith({ scopes: ['documents:write', 'conversations:read'] });
    expect(await add(answer, both)).toMatchObject({
      query: 'Who?',
      expected: [{ ...about('returns', 3), state: 'searchable' }],
    });
  });

  test('is refused where the message or a chunk is not there, or nothing was asked', async () => {
    const { conversationId, ids } = await converse(['agent', 'Welcome!'], ['user', ''], ['agent', 'Well?']);
    const other = await converse(['user', 'Who?']);
    const [welcome, , well] = ids as [string, string, string];
    const message = (status: number, type: string, msg: string) => ({
      status,
      detail: [{ type, loc: ['messageId'], msg }],
    });
    const missing = message(404, 'not_found', 'Message not found.');
    expect(await errorOf(add({ conversationId, messageId: 'none' }))).toEqual(missing);
    expect(await errorOf(add({ conversationId, messageId: other.ids[0] as string }))).toEqual(missing);
    expect(await errorOf(add({ conversationId: 'none', messageId: welcome }))).toEqual(missing);
    const elsewhere = { tenantId: 'acme', tenantUnitId: 'elsewhere' };
    const stranger = await callerWith({ scope: elsewhere });
    expect(await errorOf(add({ scope: elsewhere, conversationId, messageId: welcome }, stranger))).toEqual(
      missing,
    );
    const unasked = message(422, 'value_error', 'has no message of the user before it');
    expect(await errorOf(add({ conversationId, messageId: welcome }))).toEqual(unasked);
    expect(await errorOf(add({ conversationId, messageId: well }))).toEqual(unasked);
    const expected = [{ documentId: 'none', chunkId: 'none' }];
    const asked = { conversationId: other.conversationId, messageId: other.ids[0] as string };
    expect(await errorOf(add({ ...asked, expected }))).toEqual({
      status: 404,
      detail: [{ type: 'not_found', loc: ['expected', 0, 'chunkId'], msg: 'Chunk not found.' }],
    });
    for (const wrong of [{ expected: [] }, { datasetIds: [] }, { collection: '' }]) {
      expect(await errorOf(add({ ...asked, ...wrong }))).toMatchObject({
        status: 422,
        detail: [{ loc: Object.keys(wrong) }],
      });
    }
    expect(await writer.evaluations.list.query({ scope })).toEqual([]);
  });
});
