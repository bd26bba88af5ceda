import { sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import { expect, test } from 'vitest';
import { advisoryLockKey } from '../../db/advisory-locks.js';
import { keyOfTopic } from '../../src/search/messages/message-terms.js';
import { useApp } from '../support/app.js';
import { findText } from './support/find-text.js';

/* The words of an erased user, wherever the service has copied them. */

const app = useApp();
const AGENT = { agentId: '5f0c2b6e-4c0a-4b57-9a53-0a4c3f1f7d21' };
const USER = 'zelda-4417';
/** Of the user alone; no analysis changes it. */
const WORD = 'quokkaberg';

const as = (user: string, key: string = uuid()) => app.trpc({ 'x-user-id': user, 'idempotency-key': key });
const hex = (id: string) => id.replaceAll('-', '');
const expectIn = (text: string, tables: string[]) =>
  expect.poll(() => findText(app.db, text), { timeout: 60_000 }).toEqual(expect.arrayContaining(tables));
const expectNowhere = (text: string) =>
  expect.poll(() => findText(app.db, text), { timeout: 60_000 }).toEqual([]);

async function erase(scope: { tenantId: string }, userId: string) {
  const { users } = app.trpc();
  const { id: erasureId } = await users.erase.mutate({ scope, userId });
  await expect
    .poll(() => users.erasure.query({ scope, erasureId }), { timeout: 60_000 })
    .toMatchObject({ finishedTime: expect.any(String) });
}

/** A conversation of Bob, in which the user has written something and somebody answers. */
async function joinBob(scope: { tenantId: string }, word = WORD) {
  const unit = { ...scope, tenantUnitId: 'sales' };
  const { id: conversationId } = await as('bob').conversations.create.mutate({
    scope: unit,
    topic: 'Parcels',
  });
  const [first, joined, answer] = [uuid(), uuid(), uuid()];
  const ofBob = { scope, conversationId };
  const asked = { messageFrom: 'user', userId: USER, content: `A ${word}, please.` };
  await as('bob').messages.append.mutate({
    ...ofBob,
    messages: [
      { id: first, messageFrom: 'user', content: 'Is there a tracking number?' },
      { id: joined, ...asked },
      { id: answer, messageFrom: 'agent', content: 'Certainly.' },
    ],
  });
  return { unit, ofBob, first, joined, answer };
}

test('are in no column of any table, and nothing of others is lost', async () => {
  const scope = { tenantId: 'texts' };
  const { unit, ofBob, first, joined, answer } = await joinBob(scope);
  await as('bob').webhooks.create.mutate({
    scope,
    url: 'https://pages.test/hook',
    eventTypes: ['conversation.created', 'conversation.status_changed', 'message.created'],
  });
  const own = await as(USER).conversations.create.mutate({ scope: unit, ...AGENT, topic: `My ${WORD}` });
  const ofOwn = { scope, conversationId: own.id };
  const [written, streamed] = [uuid(), uuid()];
  await as(USER).messages.append.mutate({
    ...ofOwn,
    messages: [{ id: written, messageFrom: 'user', content: `Where is my ${WORD}?` }],
  });
  await as(USER).messages.stream.mutate({
    ...ofOwn,
    messageId: streamed,
    part: 0,
    text: `It is a ${WORD}.`,
    message: { messageFrom: 'user' },
  });
  await as(USER).messages.setFeedback.mutate({ ...ofBob, messageId: first, feedback: 'down', note: WORD });
  await as(USER).conversations.review.mutate({ ...ofBob, verdict: 'bad', note: `Not of a ${WORD}.` });
  const document = await as('bob').documents.create.mutate({
    scope: unit,
    documentType: 'UnstructuredFile',
    documentContent: 'How to return a parcel.',
    datasetIds: ['faq'],
  });
  await app.settle();
  const { items: chunks } = await as('bob').chunks.list.query({ scope, documentId: document.id });
  const expected = [{ documentId: document.id, chunkId: chunks[0]?.id as string }];
  for (const [conversationId, messageId, collection] of [
    [own.id, written, 'of the user'],
    // The question is what the user had asked before the answer.
    [ofBob.conversationId, answer, 'of both'],
    [ofBob.conversationId, first, 'of both'],
  ] as const) {
    const judged = { scope: unit, collection, datasetIds: ['faq'], expected };
    await as('bob').evaluations.addFromMessage.mutate({ ...judged, conversationId, messageId });
  }
  await as('bob').evaluations.run.mutate({ scope: unit, collection: 'of the user' });

  await expectIn(WORD, [
    'audit_events',
    'conversation_reviews',
    'conversations',
    'evaluation_questions',
    'idempotency_keys',
    'message_terms',
    'messages',
  ]);
  const keys = [written, joined, keyOfTopic(own.id)].map(hex);
  for (const key of keys) await expectIn(key, ['posting_segments']);

  await erase(scope, USER);

  await expectNowhere(WORD);
  await expectNowhere(USER);
  // With the message, the hashes of its words are gone.
  for (const key of keys) await expectNowhere(key);
  const bob = as('bob');
  const { items: messages } = await bob.messages.list.query(ofBob);
  expect(messages.map(({ id, content, feedback }) => ({ id, content, feedback }))).toEqual([
    { id: first, content: 'Is there a tracking number?', feedback: null },
    { id: answer, content: 'Certainly.', feedback: null },
  ]);
  const search = async (query: string) =>
    (await bob.messages.search.query({ scope, query })).hits.map(({ messageId }) => messageId);
  await expect.poll(() => search('tracking number'), { timeout: 60_000 }).toEqual([first]);
  expect(await search('certainly')).toEqual([answer]);
  const { items: questions } = await bob.evaluations.questions.query({ scope: unit, collection: 'of both' });
  expect(questions.map(({ query }) => query)).toEqual(['Is there a tracking number?']);
  // With its last question, a collection is gone.
  const { rows: runs } =
    await sql`select id from evaluation_runs where tenant_id = ${scope.tenantId}`.execute(app.db);
  expect(runs).toEqual([]);
});

test('leave the search index also where they are being indexed while they are erased', async () => {
  const scope = { tenantId: 'being indexed' };
  const word = 'wombatfjord';
  const { ofBob, joined } = await joinBob(scope, word);
  await expectIn(word, ['message_terms']);
  const terms = await app.db
    .selectFrom('messageTerms')
    .selectAll()
    .where('tenantId', '=', scope.tenantId)
    .where('messageId', '=', joined)
    .executeTakeFirstOrThrow();
  // An indexer that has read the message before stores its terms after it was erased: in one transaction, to be between.
  await app.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${advisoryLockKey('postings', [scope.tenantId])}::bigint)`.execute(
      tx,
    );
    await erase(scope, USER);
    await tx.insertInto('messageTerms').values(terms).execute();
  });
  await expectNowhere(word);
  await expect
    .poll(() => app.db.selectFrom('messageChanges').select('id').execute(), { timeout: 60_000 })
    .toEqual([]);
  expect((await as('bob').messages.list.query(ofBob)).items).toHaveLength(2);
});
