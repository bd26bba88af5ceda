import { sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import { expect, test } from 'vitest';
import { runStatuses } from '../../db/enums.js';
import { useApp } from '../support/app.js';

/* What the overview has of conversations, once they are counted in the background. */

const app = useApp();

type Caller = ReturnType<typeof app.trpc>;
type Imported = Parameters<Caller['conversations']['import']['mutate']>[0]['conversations'][number];
type Message = Imported['messages'][number];
type Request = Parameters<Caller['overview']['conversations']['query']>[0];

const MARCH = { from: '2026-03-01', to: '2026-03-03' };
const read = (tenantId: string, request: Partial<Request> = {}) =>
  app.trpc().overview.conversations.query({ scope: { tenantId }, ...MARCH, ...request });

const exactly = (count: number) => ({ count, isLowerBound: false });
const NO_STATUSES = Object.fromEntries([...runStatuses, 'none'].map((status) => [status, exactly(0)]));
const NOTHING = {
  conversations: 0,
  userMessages: 0,
  agentMessages: 0,
  inputTokens: 0,
  answerTokens: 0,
  totalTokens: 0,
  up: 0,
  down: 0,
  firstAnswers: { count: 0, averageMs: null, medianMs: null, p95Ms: null },
};
/** What messages of March come to: each day, their sum, and that of their only agent. */
const inMarch = (days: object[], agentId = 'support') => {
  const [first = {}, second = {}, third = {}] = days;
  const used = days.find((day) => Object.keys(day).length > 0) ?? {};
  const total = { ...NOTHING, ...(days.length === 1 ? used : {}) };
  return {
    days: [first, second, third].map((day, i) => ({ day: `2026-03-0${i + 1}`, ...NOTHING, ...day })),
    total,
    agents: [{ agentId, ...total }],
    otherAgents: null,
    statuses: { ...NO_STATUSES, running: exactly(1) },
  };
};
const answeredIn = (seconds: number, medianMs: number, p95Ms: number) => ({
  count: 1,
  averageMs: seconds * 1_000,
  medianMs,
  p95Ms,
});

const message = (fields: Partial<Message> = {}): Message => ({
  id: uuid(),
  agentId: 'support',
  userId: 'ada',
  runId: 'run',
  messageFrom: 'user',
  content: 'Where is it?',
  requestedTime: '2026-03-01T10:00:00.000000Z',
  ...fields,
});
const answer = (fields: Partial<Message> = {}) =>
  message({
    messageFrom: 'agent',
    content: 'In the van.',
    requestedTime: '2026-03-01T10:00:04.000000Z',
    inputTokens: 100,
    answerTokens: 20,
    totalTokens: 120,
    ...fields,
  });

async function importInto(tenantId: string, messages: Message[], fields: Partial<Imported> = {}) {
  const id = uuid();
  const time = '2026-03-01T09:59:00.000000Z';
  const imported = {
    id,
    tenantUnitId: 'sales',
    topic: 'Delivery',
    agentId: 'support',
    userId: 'ada',
    status: 'running' as const,
    createdTime: time,
    updatedTime: time,
    ...fields,
    messages,
  };
  await app.trpc().conversations.import.mutate({ scope: { tenantId }, conversations: [imported] });
  return imported;
}

/** A question and its answer after four seconds. */
const ANSWERED = {
  conversations: 1,
  userMessages: 1,
  agentMessages: 1,
  inputTokens: 100,
  answerTokens: 20,
  totalTokens: 120,
  firstAnswers: answeredIn(4, 4_000, 4_900),
};

test('an imported conversation is counted on the days of its messages, whatever is imported again', async () => {
  const messages = [
    message(),
    answer(),
    answer({ requestedTime: '2026-03-03T00:00:00.000000Z', feedback: 'up' }),
  ];
  const imported = await importInto('imports', messages);
  const last = {
    ...{ agentMessages: 1, inputTokens: 100, answerTokens: 20, totalTokens: 120, up: 1 },
  };
  const total = {
    ...{ ...NOTHING, ...ANSWERED },
    ...{ agentMessages: 2, inputTokens: 200, answerTokens: 40, totalTokens: 240, up: 1 },
  };
  const counted = {
    ...inMarch([ANSWERED, {}, last]),
    total,
    agents: [{ agentId: 'support', ...total }],
  };
  await expect.poll(() => read('imports')).toEqual(counted);

  // An earlier message, with a number below those that are counted.
  const earlier = message({ requestedTime: '2026-03-02T23:59:59.999999Z', sequence: 1 });
  const again = { ...imported, messages: [...messages, earlier] };
  await app.trpc().conversations.import.mutate({ scope: { tenantId: 'imports' }, conversations: [again] });
  const more = { ...total, userMessages: 2 };
  await expect
    .poll(() => read('imports'))
    .toEqual({
      ...counted,
      ...{ days: inMarch([ANSWERED, { userMessages: 1 }, last]).days, total: more },
      agents: [{ agentId: 'support', ...more }],
    });
});

test('messages are counted once when they are appended, streamed or inserted by SQL', async () => {
  const scope = { tenantId: 'writers' };
  const { id: conversationId } = await importInto('writers', []);
  const { messages } = app.trpc();
  const none = inMarch([{ conversations: 1 }]);
  await expect.poll(() => read('writers')).toEqual(none);

  const asked = {
    scope,
    conversationId,
    messages: [{ id: uuid(), messageFrom: 'user', content: 'Where?', requestedTime: '2026-03-01T10:00:00Z' }],
  };
  await messages.append.mutate(asked);
  await messages.append.mutate(asked);
  await expect.poll(() => read('writers')).toEqual(inMarch([{ conversations: 1, userMessages: 1 }]));

  const messageId = uuid();
  const part = { scope, conversationId, messageId };
  await messages.stream.mutate({
    ...part,
    part: 0,
    text: 'In the ',
    message: { messageFrom: 'agent', requestedTime: '2026-03-01T10:00:04Z' },
  });
  // It is open until its last part, and is not counted: what comes after it shows that the counting went on.
  const inserted = {
    tenantId: 'writers',
    tenantUnitId: 'sales',
    conversationId,
    agentId: 'another agent',
    userId: 'ada',
    runId: 'run',
    messageFrom: 'user',
    content: 'Well?',
  };
  await app.db
    .insertInto('messages')
    .values([
      { ...inserted, id: uuid(), requestedTime: new Date('2026-03-01T10:05:00Z'), totalTokens: Number.NaN },
      { ...inserted, id: uuid(), requestedTime: new Date('2026-02-28T23:59:59.999Z') },
    ])
    .execute();
  await expect.poll(() => read('writers')).toEqual(inMarch([{ conversations: 1, userMessages: 2 }]));
  await messages.stream.mutate({
    ...part,
    part: 1,
    text: 'van.',
    close: { inputTokens: 100, answerTokens: 20 },
  });
  const answered = { ...ANSWERED, userMessages: 2 };
  // The first message of the user is of the day before.
  const took = 36_004_001;
  await expect
    .poll(() => read('writers'))
    .toEqual(
      inMarch([
        {
          ...answered,
          firstAnswers: { count: 1, averageMs: took, medianMs: 50_400_000, p95Ms: 82_800_000 },
        },
      ]),
    );
  const inFebruary = async () => (await read('writers', { from: '2026-02-28', to: '2026-02-28' })).days;
  await expect.poll(inFebruary).toEqual([{ day: '2026-02-28', ...NOTHING, userMessages: 1 }]);
});

test('verdicts are counted as they are now, and a deleted conversation stays counted', async () => {
  const scope = { tenantId: 'judges' };
  const judged = answer();
  const { id: conversationId } = await importInto('judges', [message(), judged]);
  const judge = (feedback: 'up' | 'down' | null) =>
    app.trpc().messages.setFeedback.mutate({ scope, conversationId, messageId: judged.id, feedback });
  await expect.poll(() => read('judges')).toEqual(inMarch([ANSWERED]));
  await judge('up');
  await expect.poll(() => read('judges')).toEqual(inMarch([{ ...ANSWERED, up: 1 }]));
  await judge('down');
  await expect.poll(() => read('judges')).toEqual(inMarch([{ ...ANSWERED, down: 1 }]));
  await judge(null);
  await expect.poll(() => read('judges')).toEqual(inMarch([ANSWERED]));

  await app.trpc().conversations.delete.mutate({ scope, conversationId });
  const counted = { ...inMarch([ANSWERED]), statuses: NO_STATUSES };
  expect(await read('judges')).toEqual(counted);
  await importInto('judges', [], { createdTime: '2026-02-01T00:00:00Z' });
  const february = { from: '2026-02-01', to: '2026-02-01' };
  await expect.poll(async () => (await read('judges', february)).total.conversations).toBe(1);
  expect((await read('judges')).days).toEqual(counted.days);
});

test('units and agents are apart, and agents beyond the first twenty are together', async () => {
  const tenantId = 'agents';
  const agents = Array.from({ length: 22 }, (_, i) => `agent ${String(i).padStart(2, '0')}`);
  for (const agentId of [...agents, 'agent 21', 'agent 20'])
    await importInto(tenantId, [message(), answer()], { agentId });
  await importInto(tenantId, [], { agentId: 'agent 20', tenantUnitId: 'legal', status: null });
  await expect.poll(async () => (await read(tenantId)).total.conversations).toBe(25);

  const sum = (conversations: number, answered = conversations) => ({
    ...NOTHING,
    conversations,
    userMessages: answered,
    agentMessages: answered,
    inputTokens: 100 * answered,
    answerTokens: 20 * answered,
    totalTokens: 120 * answered,
    firstAnswers: { ...answeredIn(4, 4_000, 4_900), count: answered },
  });
  const all = await read(tenantId);
  const single = agents.slice(0, 18).map((agentId) => ({ agentId, ...sum(1) }));
  expect(all).toEqual({
    days: inMarch([sum(25, 24)]).days,
    total: sum(25, 24),
    agents: [{ agentId: 'agent 20', ...sum(3, 2) }, { agentId: 'agent 21', ...sum(2) }, ...single],
    otherAgents: sum(2),
    statuses: { ...NO_STATUSES, running: exactly(24), none: exactly(1) },
  });
  const legal = { ...NOTHING, conversations: 1 };
  expect(await read(tenantId, { scope: { tenantId, tenantUnitId: 'legal' } })).toEqual({
    ...inMarch([legal], 'agent 20'),
    statuses: { ...NO_STATUSES, none: exactly(1) },
  });
  expect(await read(tenantId, { agentId: 'agent 21' })).toEqual({
    ...inMarch([sum(2)], 'agent 21'),
    statuses: { ...NO_STATUSES, running: exactly(2) },
  });
  expect(await read(tenantId, { agentId: 'nobody' })).toEqual({
    ...inMarch([{}]),
    agents: [],
    statuses: NO_STATUSES,
  });
});

test('the last thirty days are read where none are named, and at most 366', async () => {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const lengthOf = async (request: Partial<Request>) => {
    const { days } = await app
      .trpc()
      .overview.conversations.query({ scope: { tenantId: 'nobody' }, ...request });
    return [days[0]?.day, days.at(-1)?.day, days.length];
  };
  await expect.poll(() => lengthOf({})).toEqual([day(29), day(0), 30]);
  expect(await lengthOf({ from: '2024-01-01', to: '2024-12-31' })).toEqual(['2024-01-01', '2024-12-31', 366]);
  expect(await lengthOf({ to: '1970-01-01' })).toEqual(['1969-12-03', '1970-01-01', 30]);
  const refusal = (msg: string) => ({
    detail: [{ type: 'value_error', loc: ['from'], msg }],
    httpStatus: 422,
  });
  for (const [request, msg] of [
    [{ from: '2024-01-01', to: '2025-01-01' }, 'must be at most 366 days before to'],
    [{ from: '2024-01-02', to: '2024-01-01' }, 'must not be after to'],
  ] as const)
    await expect(lengthOf(request)).rejects.toMatchObject({ data: refusal(msg) });
  for (const from of ['0000-01-01', '2024-02-30', 'today'])
    await expect(lengthOf({ from })).rejects.toMatchObject({ data: { httpStatus: 422 } });
});

test('a thousand conversations are as many counters as one, and no message is read', async () => {
  await sql`
    insert into conversations (id, tenant_id, tenant_unit_id, agent_id, user_id, agent_mode, status, created_time, updated_time,
      message_sequence)
    select 'conversation ' || i, 'large', 'sales', 'support', 'ada', 'chat', 'running', '2026-03-02T10:00:00Z', now(), 2
    from generate_series(1, 1000) as i
  `.execute(app.db);
  await sql`
    insert into messages (tenant_id, tenant_unit_id, id, conversation_id, agent_id, user_id, run_id, message_from, content,
      requested_time, total_tokens, sequence)
    select 'large', 'sales', gen_random_uuid()::text, 'conversation ' || i, 'support', 'ada', 'run',
      case n when 0 then 'user' else 'agent' end, 'text', '2026-03-02T10:00:00Z'::timestamptz + n * interval '3 seconds', 10,
      n + 1
    from generate_series(1, 1000) as i, generate_series(0, 1) as n
  `.execute(app.db);
  await sql`
    insert into message_changes (tenant_id, conversation_id)
    select tenant_id, id from conversations where tenant_id = 'large'
  `.execute(app.db);
  const total = {
    ...NOTHING,
    conversations: 1_000,
    userMessages: 1_000,
    agentMessages: 1_000,
    totalTokens: 20_000,
    firstAnswers: { count: 1_000, averageMs: 3_000, medianMs: 2_500, p95Ms: 2_950 },
  };
  await expect.poll(async () => (await read('large')).total, { timeout: 60_000 }).toEqual(total);
  const counters = await app.db
    .selectFrom('conversationCounts')
    .select(sql<string>`day::text`.as('day'))
    .where('tenantId', '=', 'large')
    .execute();
  expect(counters).toEqual([{ day: '2026-03-02' }]);
  await app.db.transaction().execute(async (tx) => {
    await sql`lock table messages, conversation_days in access exclusive mode`.execute(tx);
    expect((await read('large')).total).toEqual(total);
  });
});
