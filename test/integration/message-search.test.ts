import { sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import { advisoryLockKey } from '../../db/advisory-locks.js';
import { describeSegment, findUndescribed } from '../../src/search/postgres/postings/describe-segments.js';
import { useApp } from '../support/app.js';
import { connectUnscoped } from '../support/connect-unscoped.js';
import { waitFor } from '../support/wait-for.js';

const app = useApp({ authMode: 'required' });
const signedIn = async (fields: Parameters<typeof app.makeKey>[0] = {}) =>
  app.trpc({ 'x-api-key': (await app.makeKey(fields)).key });
type Client = Awaited<ReturnType<typeof signedIn>>;
type Append = Parameters<Client['messages']['append']['mutate']>[0];
type NewMessage = Append['messages'][number];
type Search = Partial<Parameters<Client['messages']['search']['query']>[0]>;

const HELLO = { content: 'Hello' };

/** Each test has a tenant of its own. */
async function createTenant() {
  const tenantId = uuid();
  const client = await signedIn({ scope: { tenantId } });
  const scope = { tenantId, tenantUnitId: 'legal' };
  const talk = async (
    messages: Partial<NewMessage>[],
    conversation: NonNullable<Append['conversation']> & { tenantUnitId?: string } = {},
  ) => {
    const { tenantUnitId = 'legal', ...described } = conversation;
    const all = messages.map((one) => ({ id: uuid(), messageFrom: 'user', content: '', ...one }));
    const { conversationId } = await client.messages.append.mutate({
      scope: { tenantId, tenantUnitId },
      conversation: { topic: 'A talk', ...described },
      messages: all,
    });
    return { conversationId, ids: all.map(({ id }) => id), id: all[0]?.id as string };
  };
  const search = (query: string, rest: Search = {}, by = client) =>
    by.messages.search.query({ scope: { tenantId }, query, ...rest });
  const found = async (query: string, rest: Search = {}, by = client) =>
    (await search(query, rest, by)).hits.map(
      ({ messageId, conversationId }) => messageId ?? `topic of ${conversationId}`,
    );
  const indexed = () =>
    waitFor(
      async () => {
        const waiting = app.db.selectFrom('messageChanges').where('tenantId', '=', tenantId);
        return (await waiting.select('id').execute()).length === 0;
      },
      { what: 'messages to be indexed' },
    );
  return { tenantId, scope, client, talk, search, found, indexed };
}

/** Does `work` while no process can index messages of the tenant. */
async function withoutIndexer(tenantId: string, work: () => Promise<void>): Promise<void> {
  const { db, close } = connectUnscoped(app.databaseUrl, { max: 1 });
  try {
    await db.connection().execute(async (session) => {
      const key = advisoryLockKey('postings', [tenantId]);
      await sql`select pg_advisory_lock(${key}::bigint)`.execute(session);
      await work();
      await sql`select pg_advisory_unlock(${key}::bigint)`.execute(session);
    });
  } finally {
    await close();
  }
}

describe('a message', () => {
  test('is found by its words before and after it is indexed, with the passage that has them', async () => {
    const { tenantId, talk, search, indexed } = await createTenant();
    const content = `${'Good morning to you. '.repeat(30)}My hinges are broken, and the door fell. ${'Bye. '.repeat(90)}`;
    await withoutIndexer(tenantId, async () => {
      const { conversationId, ids } = await talk(
        [HELLO, { content, requestedTime: '2026-03-01T10:00:00Z' }],
        {
          topic: 'Repairs',
          userId: 'ann',
        },
      );
      const unindexed = await search('broken hinge');
      const passage = unindexed.hits[0]?.passage ?? '';
      expect(unindexed).toEqual({
        hits: [
          {
            conversationId,
            tenantUnitId: 'legal',
            topic: 'Repairs',
            agentId: '00000000-0000-0000-0000-000000000000',
            userId: 'ann',
            status: 'running',
            messageId: ids[1],
            messageFrom: 'user',
            requestedTime: '2026-03-01T10:00:00.000Z',
            passage: expect.stringContaining(' you. My hinges are broken, and the door fell. Bye.'),
            marks: [
              [passage.indexOf('hinges'), passage.indexOf('hinges') + 6],
              [passage.indexOf('broken'), passage.indexOf('broken') + 6],
            ],
            score: expect.any(Number),
          },
        ],
        isTruncated: false,
      });
      expect(passage.length).toBeLessThanOrEqual(300);
    });
    await indexed();
    const { hits, isTruncated } = await search('broken hinge');
    expect({ hits: hits.map(({ passage }) => passage), isTruncated }).toEqual({
      hits: [expect.stringContaining('hinges are broken')],
      isTruncated: false,
    });
  });

  test('is found in Chinese, also in traditional characters', async () => {
    const { talk, found, search, indexed } = await createTenant();
    const { ids } = await talk([
      { content: '我的铰链坏了，门掉下来了。' },
      { content: '請問退款政策是什麼？' },
    ]);
    await indexed();
    expect(await found('铰链', { language: 'chinese' })).toEqual([ids[0]]);
    expect(await found('退款政策', { language: 'chinese' })).toEqual([ids[1]]);
    const [hit] = (await search('铰链', { language: 'chinese' })).hits;
    expect(hit).toMatchObject({ passage: '我的铰链坏了，门掉下来了。', marks: [[2, 4]] });
  });

  test('that has more of the words is better than one with fewer, and one behind 50,000 characters is found', async () => {
    const { talk, found, indexed } = await createTenant();
    const { ids } = await talk([
      { content: 'The door is green.' },
      { content: 'The door has a broken hinge.' },
      { content: `${'word '.repeat(30_000)} wombat` },
    ]);
    await indexed();
    expect(await found('broken door hinge')).toEqual([ids[1], ids[0]]);
    expect(await found('wombat')).toEqual([ids[2]]);
  });

  test('that is written in parts is found once it is closed, and as a whole', async () => {
    const { scope, client, talk, found, indexed } = await createTenant();
    const { conversationId } = await talk([HELLO]);
    const messageId = uuid();
    const part = { scope, conversationId, messageId };
    await client.messages.stream.mutate({
      ...part,
      part: 0,
      text: 'A wom',
      message: { messageFrom: 'agent' },
    });
    await indexed();
    expect(await found('wom')).toEqual([]);
    await client.messages.stream.mutate({ ...part, part: 1, text: 'bat', close: { status: 'finished' } });
    expect(await found('wombat')).toEqual([messageId]);
    await indexed();
    expect(await found('wombat')).toEqual([messageId]);
  });

  test('that a runtime inserts by SQL is found, and so is one of a former release', async () => {
    const { tenantId, scope, talk, found, indexed } = await createTenant();
    const { conversationId } = await talk([HELLO]);
    await indexed();
    const row = {
      ...scope,
      conversationId,
      agentId: 'agent',
      userId: 'ann',
      runId: 'run',
      messageFrom: 'user',
      requestedTime: new Date(),
    };
    await app.db
      .insertInto('messages')
      .values({ ...row, id: 'by SQL', content: 'A wombat' })
      .execute();
    await waitFor(async () => (await found('wombat')).length > 0, { what: 'the message to be found' });
    expect(await found('wombat')).toEqual(['by SQL']);

    const old = await talk([], { topic: 'Old' }).catch(() => undefined);
    expect(old).toBeUndefined();
    const legacy = await app.db
      .insertInto('messages')
      .values(['x', 'y', 'z'].map((id) => ({ ...row, id, content: `An okapi ${id}`, sequence: 0 })))
      .returning('id')
      .execute();
    expect(legacy).toHaveLength(3);
    await withoutIndexer(tenantId, async () => {
      // As the migration found it.
      await sql`delete from message_terms where tenant_id = ${tenantId}`.execute(app.db);
      await app.db.insertInto('messageChanges').values({ tenantId, conversationId }).execute();
      expect((await found('okapi')).sort()).toEqual(['x', 'y', 'z']);
    });
    await indexed();
    expect((await found('okapi')).sort()).toEqual(['x', 'y', 'z']);
    expect(await found('wombat')).toEqual(['by SQL']);
  });

  test('that is imported later, with a lower number, is found, and so are the others', async () => {
    const { tenantId, client, found, indexed } = await createTenant();
    const time = '2026-03-01T10:00:00.000Z';
    const described = {
      id: uuid(),
      tenantUnitId: 'legal',
      topic: 'Old',
      agentId: 'a',
      userId: 'ann',
      status: 'running',
    };
    const at = (id: string, sequence: number) => ({
      ...{ id, sequence, agentId: 'a', userId: 'ann', runId: 'run', messageFrom: 'user' },
      content: `A wombat ${sequence}`,
      requestedTime: time,
    });
    const importOf = (messages: ReturnType<typeof at>[]) =>
      client.conversations.import.mutate({
        scope: { tenantId },
        conversations: [{ ...described, status: 'running', createdTime: time, updatedTime: time, messages }],
      });
    // More than a search reads of what is not indexed.
    const late = Array.from({ length: 250 }, (_, place) => at(uuid(), place + 7));
    await importOf(late);
    await indexed();
    const early = at(uuid(), 3);
    await withoutIndexer(tenantId, async () => {
      await importOf([early]);
      expect(await found('wombat 3', { limit: 1 })).toEqual([early.id]);
      for (const { id, sequence } of late.slice(0, 3))
        expect(await found(`wombat ${sequence}`, { limit: 1 })).toEqual([id]);
    });
    await indexed();
    for (const { id, sequence } of [early, ...late.slice(0, 3)])
      expect(await found(`wombat ${sequence}`, { limit: 1 })).toEqual([id]);
  });

  test('of many is found while they are indexed', async () => {
    const { talk, found, indexed } = await createTenant();
    const talks = [];
    for (let i = 0; i < 30; i++) {
      talks.push(
        await talk(Array.from({ length: 100 }, (_, place) => ({ content: `Message ${place} of talk${i}` }))),
      );
      expect(await found(`talk${i} 57`, { limit: 1 })).toEqual([talks[i]?.ids[57]]);
    }
    await indexed();
    for (const [i, { ids }] of talks.entries()) {
      expect(await found(`talk${i} 57`, { limit: 1 })).toEqual([ids[57]]);
    }
  });
});

describe('a topic', () => {
  test('is found as it is now, and not any more once its conversation is deleted', async () => {
    const { scope, client, talk, search, found, indexed } = await createTenant();
    const { conversationId } = await talk([{ content: 'A wombat' }], { topic: 'Broken hinge' });
    expect(await found('hinge')).toEqual([`topic of ${conversationId}`]);
    await indexed();
    expect((await search('hinge')).hits).toEqual([
      expect.objectContaining({
        conversationId,
        topic: 'Broken hinge',
        messageId: null,
        messageFrom: null,
        requestedTime: null,
        passage: 'Broken hinge',
        marks: [[7, 12]],
      }),
    ]);
    await client.conversations.update.mutate({ scope, conversationId, topic: 'Loose screw' });
    expect([await found('hinge'), await found('screw')]).toEqual([[], [`topic of ${conversationId}`]]);
    await indexed();
    expect([await found('hinge'), await found('screw')]).toEqual([[], [`topic of ${conversationId}`]]);
    await client.conversations.delete.mutate({ scope, conversationId });
    expect([await found('wombat'), await found('screw')]).toEqual([[], []]);
    await indexed();
    expect([await found('wombat'), await found('screw')]).toEqual([[], []]);
  });
});

describe('a search', () => {
  test('is narrowed by agent, user, assignment, status, label and time of conversations', async () => {
    const { scope, client, talk, found, indexed } = await createTenant();
    const { id: label } = await client.labels.create.mutate({
      scope: { tenantId: scope.tenantId },
      name: 'hinges',
      color: '#aa0000',
    });
    const agentId = uuid();
    const wanted = await talk([{ content: 'A wombat' }], {
      agentId,
      userId: 'ann',
      assignmentId: 'team',
      status: 'stopped',
    });
    await client.conversations.setLabels.mutate({
      scope,
      conversationId: wanted.conversationId,
      add: [label],
    });
    const other = await talk([{ content: 'A wombat' }], { userId: 'bob' });
    const both = [wanted.id, other.id].sort();
    const filters: Search[] = [
      { agentId },
      { userId: 'ann' },
      { assignmentId: 'team' },
      { statuses: ['stopped'] },
      { labels: [label] },
      { userId: 'ann', labels: [label], statuses: ['stopped', 'failed'] },
    ];
    for (const when of ['unindexed', 'indexed']) {
      for (const filter of filters) {
        expect(await found('wombat', filter), `${when} ${JSON.stringify(filter)}`).toEqual([wanted.id]);
      }
      expect((await found('wombat')).sort()).toEqual(both);
      expect((await found('wombat', { createdFrom: '2026-01-01T00:00:00Z' })).sort()).toEqual(both);
      expect(await found('wombat', { createdBefore: '2026-01-01T00:00:00Z' })).toEqual([]);
      expect(await found('wombat', { userId: 'zoe' })).toEqual([]);
      await indexed();
    }
  });

  test('is narrowed by feedback, time and tokens of messages', async () => {
    const { scope, client, talk, found, indexed } = await createTenant();
    const { conversationId, ids } = await talk(
      [
        { content: 'wombat one', requestedTime: '2026-03-01T10:00:00Z', answerTokens: 10 },
        { content: 'wombat two', requestedTime: '2026-03-02T10:00:00Z', answerTokens: 500 },
      ],
      { topic: 'wombat' },
    );
    const [first, second] = ids;
    await client.messages.setFeedback.mutate({
      scope,
      conversationId,
      messageId: second as string,
      feedback: 'down',
    });
    for (const _ of ['unindexed', 'indexed']) {
      expect(await found('wombat', { feedback: 'down' })).toEqual([second]);
      expect(await found('wombat', { feedback: 'up' })).toEqual([]);
      expect(await found('wombat', { requestedBefore: '2026-03-02T00:00:00Z' })).toEqual([first]);
      expect(await found('wombat', { requestedFrom: '2026-03-02T10:00:00Z' })).toEqual([second]);
      expect(await found('wombat', { minTokens: 11 })).toEqual([second]);
      expect(await found('wombat', { maxTokens: 10 })).toEqual([first]);
      expect(await found('wombat')).toHaveLength(3);
      await indexed();
    }
  });

  test('reads by whom and when messages are from segments, also from those that a former release wrote', async () => {
    const { tenantId, talk, found, indexed } = await createTenant();
    const agentId = uuid();
    const write = async (userId: string, day: string) =>
      (await talk([{ content: 'A wombat', requestedTime: `${day}T23:59:59.999Z` }], { userId, agentId })).id;
    const annLongAgo = await write('ann', '1969-12-30');
    const annEarly = await write('ann', '2026-03-01');
    const bobEarly = await write('bob', '2026-03-01');
    const annLate = await write('ann', '2026-03-02');
    await write('ann', '2026-03-04');
    const firstDays = { requestedFrom: '2026-03-01T00:00:00Z', requestedBefore: '2026-03-03T00:00:00Z' };
    const check = async () => {
      expect((await found('wombat', { userId: 'ann', agentId, ...firstDays })).sort()).toEqual(
        [annEarly, annLate].sort(),
      );
      expect(await found('wombat', { userId: 'bob', ...firstDays })).toEqual([bobEarly]);
      expect(await found('wombat', { requestedBefore: '1970-01-01T00:00:00Z' })).toEqual([annLongAgo]);
      expect(await found('wombat', { userId: 'bob', requestedFrom: '2026-03-02T00:00:00Z' })).toEqual([]);
      expect(await found('wombat', { agentId: uuid() })).toEqual([]);
    };
    await indexed();
    await check();
    await app.db.deleteFrom('postingSegmentMetadata').where('tenantId', '=', tenantId).execute();
    await sql`update posting_segments set has_message_metadata = null where tenant_id = ${tenantId}`.execute(
      app.db,
    );
    await check();
    for (const segment of await findUndescribed(app.db)) await describeSegment(app.db, segment);
    const described = app.db.selectFrom('postingSegments').select('hasMessageMetadata').distinct();
    expect(await described.where('tenantId', '=', tenantId).execute()).toEqual([
      { hasMessageMetadata: true },
    ]);
    await check();
  });

  test('finds nothing of other units and tenants', async () => {
    const { tenantId, talk, found, indexed } = await createTenant();
    const legal = await talk([{ content: 'A wombat' }]);
    const sales = await talk([{ content: 'A wombat' }], { tenantUnitId: 'sales' });
    const stranger = await createTenant();
    const ofSales = await signedIn({ scope: { tenantId, tenantUnitId: 'sales' } });
    for (const _ of ['unindexed', 'indexed']) {
      expect((await found('wombat')).sort()).toEqual([legal.id, sales.id].sort());
      expect(await found('wombat', { scope: { tenantId, tenantUnitId: 'legal' } })).toEqual([legal.id]);
      expect(await found('wombat', {}, ofSales)).toEqual([sales.id]);
      expect(await stranger.found('wombat')).toEqual([]);
      await indexed();
    }
  });

  test('is found by each of many searches at the same time', async () => {
    const { talk, found } = await createTenant();
    const { id } = await talk([{ content: 'A wombat' }]);
    const answers = await Promise.all(Array.from({ length: 30 }, () => found('wombat')));
    expect(answers).toEqual(Array(30).fill([id]));
  });

  test('for words that are nowhere, or for none, finds nothing', async () => {
    const { talk, search, indexed } = await createTenant();
    await talk([HELLO]);
    await indexed();
    const nothing = { hits: [], isTruncated: false };
    expect(await search('wombat')).toEqual(nothing);
    expect(await search('!?')).toEqual(nothing);
  });
});

describe('the page of a message', () => {
  test('is found in both orders; there is none of a message that is not in the conversation', async () => {
    const { scope, client, talk } = await createTenant();
    const { conversationId, ids } = await talk(
      Array.from({ length: 45 }, (_, place) => ({
        content: `${place}`,
        requestedTime: '2026-03-01T10:00:00Z',
      })),
    );
    const list = (fields: object) =>
      client.messages.list.query({ scope, conversationId, pageSize: 20, ...fields });
    for (const order of ['oldest', 'recent'] as const) {
      for (const place of [0, 19, 20, 44]) {
        const found = await list({ order, around: ids[place] });
        const rank = order === 'oldest' ? place : 44 - place;
        expect(found).toEqual(await list({ order, page: Math.floor(rank / 20) + 1 }));
        expect(found.items[rank % 20]?.id).toBe(ids[place]);
      }
    }
    const other = await talk([HELLO]);
    const refusal = async (around: string | undefined) =>
      list({ around }).then(
        () => undefined,
        ({ data }) => ({ status: data.httpStatus, detail: data.detail }),
      );
    const unknown = await refusal(uuid());
    expect(unknown).toEqual({
      status: 404,
      detail: [{ loc: ['around'], msg: 'Message not found.', type: 'not_found' }],
    });
    expect(await refusal(other.id)).toEqual(unknown);
  });
});
