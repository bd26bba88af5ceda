import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import { runStatuses } from '../../db/enums.js';
import { useApp } from '../support/app.js';
import { CONVERSATIONS, createRestClient, TIME, UUID } from './support/rest-client.js';

const NIL = '00000000-0000-0000-0000-000000000000';

const app = useApp({ defaultTenantUnit: { tenantId: 'home', tenantUnitId: 'desk' } });
const { call } = createRestClient(app);

const create = (body: object = {}, query = {}, headers = {}) =>
  call(201, 'POST', CONVERSATIONS, { body, query, headers });
const list = (query: Parameters<typeof app.get>[1]) => call(200, 'GET', CONVERSATIONS, { query });
const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id);

/** A place of its own for a test that counts. */
const somewhere = () => ({ tenant_id: `tenant-${uuid()}`, tenant_unit_id: 'unit' });
type Place = ReturnType<typeof somewhere>;

async function insertMessages(
  { id, tenant_id, tenant_unit_id }: Place & { id: string },
  messages: { id: string; requestedTime: Date; content?: string }[],
) {
  await app.db
    .insertInto('messages')
    .values(
      messages.map((message) => ({
        content: 'hello',
        ...message,
        tenantId: tenant_id,
        tenantUnitId: tenant_unit_id,
        conversationId: id,
        agentId: NIL,
        userId: 'ann',
        runId: 'run-1',
        messageFrom: 'user',
      })),
    )
    .execute();
}

const historyOf = (id: string) =>
  app.db
    .selectFrom('conversationStatusChanges')
    .select(['fromStatus', 'toStatus', 'changedBy', 'tenantId', 'tenantUnitId'])
    .where('conversationId', '=', id)
    .orderBy('id')
    .execute();

describe('create', () => {
  const defaults = {
    id: UUID,
    topic: 'New Conversation',
    agent_id: NIL,
    tenant_id: 'home',
    tenant_unit_id: 'desk',
    user_id: 'anonymous',
    agent_mode: 'chat',
    extend_properties: {},
    invoke_from: null,
    inputs: null,
    status: 'running',
    assignment_id: null,
    created_time: TIME,
    updated_time: TIME,
    created_by: null,
    updated_by: null,
    created_by_role: null,
    updated_by_role: null,
    created_by_name: null,
    updated_by_name: null,
    agent_type: null,
  };

  test('without a body fills in every default', async () => {
    const created = await call(201, 'POST', CONVERSATIONS);
    expect(created).toStrictEqual(defaults);
    expect(created.updated_time).toBe(created.created_time);
    expect(await call(200, 'GET', `${CONVERSATIONS}/${created.id}`)).toStrictEqual(created);
  });

  test('takes null for the default', async () => {
    const nulls = { topic: null, status: null, agent_id: null, inputs: null, assignment_id: null };
    expect(await create(nulls)).toStrictEqual(defaults);
  });

  test('keeps what it is given, byte by byte', async () => {
    const agent = uuid();
    const body = {
      topic: '退款 Café 😀',
      status: 'input-required',
      agent_id: agent,
      inputs: { snake_case: { camelCase: [1, 'zwei', null] }, '': 1 },
      assignment_id: 'task-7',
      user_id: 'ignored',
    };
    const query = { tenant_id: 'acme', tenant_unit_id: 'sales', assignment_id: 'task-8' };
    const created = await create(body, query, { 'x-user-id': 'ann' });
    expect(created).toStrictEqual({
      ...defaults,
      topic: body.topic,
      status: body.status,
      agent_id: agent,
      inputs: body.inputs,
      assignment_id: 'task-7',
      tenant_id: 'acme',
      tenant_unit_id: 'sales',
      user_id: 'ann',
      created_by: 'ann',
      updated_by: 'ann',
    });
    expect(await call(200, 'GET', `${CONVERSATIONS}/${created.id}`)).toStrictEqual(created);
  });

  test('takes the assignment of the query where the body has none', async () => {
    expect(await create({}, { assignment_id: 'task-8' })).toMatchObject({ assignment_id: 'task-8' });
    expect(await create({ assignment_id: null }, { assignment_id: 'task-8' })).toMatchObject({
      assignment_id: 'task-8',
    });
  });

  test('fills in the part of the place that is not named', async () => {
    expect(await create({}, { tenant_id: 'acme' })).toMatchObject({
      tenant_id: 'acme',
      tenant_unit_id: 'desk',
    });
    expect(await create({}, { tenant_unit_id: 'sales' })).toMatchObject({
      tenant_id: 'home',
      tenant_unit_id: 'sales',
    });
  });

  test.each([
    ['status', { status: 'sleeping' }],
    ['agent_id', { agent_id: 'not-a-uuid' }],
    ['inputs', { inputs: [1] }],
    ['topic', { topic: 7 }],
  ])('refuses a bad %s and creates nothing', async (field, body) => {
    const place = somewhere();
    const answer = await call(422, 'POST', CONVERSATIONS, { body, query: place });
    expect(answer).toStrictEqual({
      detail: [{ type: expect.any(String), loc: ['body', field], msg: expect.any(String) }],
    });
    expect((await list(place)).total_count).toBe(0);
  });
});

describe('list', () => {
  test('of nothing is one empty page', async () => {
    expect(await list(somewhere())).toStrictEqual({
      page_num: 1,
      page_size: 20,
      total_count: 0,
      total_pages: 1,
      has_next_page: false,
      data: [],
    });
  });

  test('pages through rows of equal times without losing or doubling one', async () => {
    const place = somewhere();
    const ids = Array.from({ length: 47 }, () => uuid()).sort();
    const times = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.000Z'];
    await app.db
      .insertInto('conversations')
      .values(
        ids.map((id, i) => ({
          id,
          tenantId: place.tenant_id,
          tenantUnitId: place.tenant_unit_id,
          agentId: NIL,
          userId: 'ann',
          agentMode: 'chat',
          status: 'running',
          createdTime: new Date(times[i % 2] as string),
          updatedTime: new Date(),
        })),
      )
      .execute();
    const oldest = [...ids.filter((_, i) => i % 2 === 0), ...ids.filter((_, i) => i % 2 === 1)];

    for (const [order, expected] of [
      ['oldest', oldest],
      ['recent', oldest.toReversed()],
      [undefined, oldest.toReversed()],
    ] as const) {
      const pages = [];
      for (let page_num = 1; page_num <= 6; page_num++) {
        pages.push(await list({ ...place, order, page_num, page_size: 10 }));
      }
      expect(pages.flatMap(idsOf)).toEqual(expected);
      expect(pages.map(({ data, ...envelope }) => ({ ...envelope, length: data.length }))).toEqual(
        [10, 10, 10, 10, 7, 0].map((length, i) => ({
          page_num: i + 1,
          page_size: 10,
          total_count: 47,
          total_pages: 5,
          has_next_page: i < 4,
          length,
        })),
      );
    }
    expect(await list(place)).toMatchObject({ page_num: 1, page_size: 20, data: { length: 20 } });
  });

  test('filters by agent, assignment and statuses, alone and together', async () => {
    const place = somewhere();
    const [agentA, agentB] = [uuid(), uuid()];
    const a = await create({ agent_id: agentA, status: 'failed', assignment_id: 'x' }, place);
    const b = await create({ agent_id: agentA, status: 'stopped', assignment_id: 'y' }, place);
    const c = await create({ agent_id: agentB, status: 'failed', assignment_id: 'y' }, place);
    const found = async (query: object) => idsOf(await list({ ...place, order: 'oldest', ...query }));

    expect(await found({ agent_id: agentA })).toEqual([a.id, b.id]);
    expect(await found({ assignment_id: 'y' })).toEqual([b.id, c.id]);
    expect(await found({ status: 'failed' })).toEqual([a.id, c.id]);
    expect(await found({ statuses: ['failed', 'stopped'] })).toEqual([a.id, b.id, c.id]);
    expect(await found({ statuses: 'stopped', status: 'failed' })).toEqual([a.id, b.id, c.id]);
    expect(await found({ status: 'no-such-status' })).toEqual([]);
    expect(await found({ statuses: ['no-such-status', 'stopped'] })).toEqual([b.id]);
    expect(await found({ agent_id: 'no-such-agent' })).toEqual([]);
    expect(await found({ agent_id: agentA, assignment_id: 'y', status: 'stopped' })).toEqual([b.id]);
    expect(await found({ agent_id: agentB, assignment_id: 'x' })).toEqual([]);
    expect(await list({ ...place, status: 'failed', page_size: 1 })).toMatchObject({ total_count: 2 });
  });

  test('of no statuses at all is empty through tRPC', async () => {
    const place = somewhere();
    await create({}, place);
    const scope = { tenantId: place.tenant_id };
    expect(await app.trpc().conversations.list.query({ scope, statuses: [] })).toMatchObject({
      items: [],
      totalCount: 0,
    });
  });

  test('carries every field and the number of messages', async () => {
    const place = somewhere();
    const silent = await create({}, place);
    const spoken = await create({}, place);
    const at = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, n));
    await insertMessages(
      spoken,
      [1, 2, 3].map((n) => ({ id: uuid(), requestedTime: at(n) })),
    );
    expect((await list(place)).data).toStrictEqual([
      { ...spoken, message_count: 3 },
      { ...silent, message_count: 0 },
    ]);
  });

  test('is as wide as its parameters', async () => {
    const place = somewhere();
    const here = await create({}, place);
    const there = await create({}, { ...place, tenant_unit_id: 'other' });
    expect(idsOf(await list({ tenant_id: place.tenant_id }))).toEqual([there.id, here.id]);
    expect(idsOf(await list(place))).toEqual([here.id]);
    // In open mode everybody's, newest first.
    expect(idsOf(await list({})).slice(0, 2)).toEqual([there.id, here.id]);
  });

  test.each([
    ['page_num', 0],
    ['page_num', 'one'],
    ['page_size', 0],
    ['page_size', 101],
    ['order', 'newest'],
    ['tenant_id', ''],
  ])('refuses %s=%s', async (name, value) => {
    const { detail } = await call(422, 'GET', CONVERSATIONS, { query: { [name]: value } });
    expect(detail).toMatchObject([{ loc: ['query', name] }]);
  });
});

describe('one conversation', () => {
  test('is renamed, and by whom is remembered', async () => {
    const place = somewhere();
    const created = await create({}, place, { 'x-user-id': 'ann' });
    const route = `${CONVERSATIONS}/${created.id}`;
    const renamed = await call(200, 'PATCH', route, {
      query: place,
      body: { topic: 'Refund', status: 'failed', user_id: 'eve' },
      headers: { 'x-user-id': 'bob' },
    });
    expect(renamed).toStrictEqual({ ...created, topic: 'Refund', updated_by: 'bob', updated_time: TIME });
    expect(renamed.updated_time >= created.updated_time).toBe(true);
    expect(await call(200, 'GET', route, { query: place })).toStrictEqual(renamed);
    expect(await call(200, 'PATCH', route, { body: { topic: '' } })).toMatchObject({ topic: '' });
  });

  test('is left alone by an empty change', async () => {
    const created = await create({}, {}, { 'x-user-id': 'ann' });
    const route = `${CONVERSATIONS}/${created.id}`;
    expect(await call(200, 'PATCH', route, { body: {}, headers: { 'x-user-id': 'bob' } })).toStrictEqual(
      created,
    );
    expect(await call(200, 'GET', route)).toStrictEqual(created);
  });

  test('is reached without tenant parameters, and only through its own ones', async () => {
    const place = somewhere();
    const created = await create({}, place);
    const route = `${CONVERSATIONS}/${created.id}`;
    expect(await call(200, 'GET', route)).toStrictEqual(created);
    expect(await call(200, 'GET', route, { query: { tenant_unit_id: place.tenant_unit_id } })).toStrictEqual(
      created,
    );
    const missing = {
      detail: [{ type: 'not_found', loc: ['path', 'conversation_id'], msg: 'Conversation not found.' }],
    };
    for (const query of [{ tenant_id: 'other' }, { ...place, tenant_unit_id: 'other' }]) {
      expect(await call(404, 'GET', route, { query })).toStrictEqual(missing);
      expect(await call(404, 'GET', `${route}/messages`, { query })).toStrictEqual(missing);
      expect(await call(404, 'DELETE', route, { query })).toStrictEqual(missing);
    }
    expect(await call(200, 'GET', route, { query: place })).toStrictEqual(created);
  });
});

describe('status', () => {
  test('goes from any value to any value, and back to none', async () => {
    const created = await create({}, somewhere());
    const route = `${CONVERSATIONS}/${created.id}/status`;
    const wanted = [...runStatuses.toReversed(), null, ...runStatuses, null];
    for (const status of wanted) {
      const answer = await call(200, 'PATCH', route, { body: { status }, headers: { 'x-user-id': 'bob' } });
      expect(answer).toStrictEqual({ ...created, status, updated_by: 'bob', updated_time: TIME });
    }
    const steps = ['running', ...wanted].map((toStatus, i, all) => ({
      fromStatus: i === 0 ? null : all[i - 1],
      toStatus,
      changedBy: i === 0 ? null : 'bob',
      tenantId: created.tenant_id,
      tenantUnitId: 'unit',
    }));
    expect(await historyOf(created.id)).toEqual(steps);
  });

  test('that stays the same is no change in the history', async () => {
    const created = await create({ status: 'failed' });
    const body = { status: 'failed' };
    await call(200, 'PATCH', `${CONVERSATIONS}/${created.id}/status`, { body });
    expect(await historyOf(created.id)).toMatchObject([{ fromStatus: null, toStatus: 'failed' }]);
  });

  test('must be given, and known', async () => {
    const created = await create();
    const route = `${CONVERSATIONS}/${created.id}/status`;
    expect(await call(422, 'PATCH', route, { body: {} })).toStrictEqual({
      detail: [{ type: 'missing', loc: ['body', 'status'], msg: 'Field required' }],
    });
    for (const status of ['sleeping', 7, {}, '']) {
      expect(await call(422, 'PATCH', route, { body: { status } })).toMatchObject({
        detail: [{ loc: ['body', 'status'] }],
      });
    }
    expect(await call(200, 'GET', `${CONVERSATIONS}/${created.id}`)).toStrictEqual(created);
  });

  test('changes made at once are all in the history, each from where the one before ended', async () => {
    const created = await create();
    const statuses = runStatuses.filter((status) => status !== 'running');
    await Promise.all(
      statuses.map((status) =>
        call(200, 'PATCH', `${CONVERSATIONS}/${created.id}/status`, { body: { status } }),
      ),
    );
    const history = await historyOf(created.id);
    expect(history.map(({ toStatus }) => toStatus).toSorted()).toEqual(['running', ...statuses].toSorted());
    expect(history.slice(1).map(({ fromStatus }) => fromStatus)).toEqual(
      history.slice(0, -1).map(({ toStatus }) => toStatus),
    );
  });
});

describe('delete', () => {
  test('takes messages and history along, once', async () => {
    const created = await create({}, somewhere());
    const kept = await create({}, somewhere());
    const time = new Date();
    await insertMessages(created, [{ id: uuid(), requestedTime: time }]);
    await insertMessages(kept, [{ id: uuid(), requestedTime: time }]);
    const route = `${CONVERSATIONS}/${created.id}`;

    expect(await call(204, 'DELETE', route)).toBeUndefined();
    const missing = {
      detail: [{ type: 'not_found', loc: ['path', 'conversation_id'], msg: 'Conversation not found.' }],
    };
    expect(await call(404, 'DELETE', route)).toStrictEqual(missing);
    expect(await call(404, 'GET', route)).toStrictEqual(missing);
    expect(await call(404, 'GET', `${route}/messages`)).toStrictEqual(missing);
    expect(await call(404, 'PATCH', route, { body: { topic: 'late' } })).toStrictEqual(missing);
    expect(await historyOf(created.id)).toEqual([]);
    const left = await app.db
      .selectFrom('messages')
      .select('conversationId')
      .where('conversationId', 'in', [created.id, kept.id])
      .execute();
    expect(left).toEqual([{ conversationId: kept.id }]);
  });

  test('honours tenant parameters when they are sent', async () => {
    const place = somewhere();
    const created = await create({}, place);
    await call(404, 'DELETE', `${CONVERSATIONS}/${created.id}`, { query: { tenant_id: 'other' } });
    await call(204, 'DELETE', `${CONVERSATIONS}/${created.id}`, { query: place });
  });
});

describe('messages', () => {
  test('come oldest first, page by page, with every field', async () => {
    const created = await create({}, somewhere());
    const ids = Array.from({ length: 45 }, () => uuid()).sort();
    const at = (i: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, 100 - Math.floor(i / 15)));
    await insertMessages(created, ids.map((id, i) => ({ id, requestedTime: at(i) })).toReversed());
    // The last fifteen are the oldest; within one second the id decides.
    const expected = [...ids.slice(30), ...ids.slice(15, 30), ...ids.slice(0, 15)];
    const route = `${CONVERSATIONS}/${created.id}/messages`;
    const pages = [];
    for (let page = 1; page <= 4; page++) pages.push(await call(200, 'GET', route, { query: { page } }));
    expect(pages.flatMap(idsOf)).toEqual(expected);
    expect(pages.map(({ data, ...envelope }) => ({ ...envelope, length: data.length }))).toEqual(
      [20, 20, 5, 0].map((length, i) => ({
        page_num: i + 1,
        page_size: 20,
        total_count: 45,
        total_pages: 3,
        has_next_page: i < 2,
        length,
      })),
    );
    expect(pages[0].data[0]).toStrictEqual({
      id: ids[30],
      tenant_id: created.tenant_id,
      tenant_unit_id: 'unit',
      agent_id: NIL,
      user_id: 'ann',
      conversation_id: created.id,
      run_id: 'run-1',
      message_from: 'user',
      content: 'hello',
      requested_time: '2026-01-01T00:01:38.000Z',
      input_tokens: 0,
      answer_tokens: 0,
      total_tokens: 0,
      feedback: null,
      metadata: null,
      type: null,
      user_type: null,
      status: null,
      event_trace: null,
      created_by: null,
      updated_by: null,
      created_by_role: null,
      updated_by_role: null,
    });
  });

  test('of a silent conversation are one empty page', async () => {
    const created = await create();
    expect(await call(200, 'GET', `${CONVERSATIONS}/${created.id}/messages`)).toStrictEqual({
      page_num: 1,
      page_size: 20,
      total_count: 0,
      total_pages: 1,
      has_next_page: false,
      data: [],
    });
  });
});
