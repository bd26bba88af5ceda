import { type Insertable, type RawBuilder, sql } from 'kysely';
import { insertBatches } from '../../db/insert-batches.js';
import type { ConversationCountsTable, ConversationDayTable, Queryable } from '../../db/schema.js';
import { bucketOf } from '../metrics/histogram.js';
import {
  FIRST_ANSWER_BOUNDS_MS,
  FIRST_ANSWER_PLACES,
  NO_ANSWERS,
  NO_SUMS,
  SUMMED,
} from './conversation-sums.js';

/** Conversations of a statement. */
const BATCH_SIZE = 100;
/** The first messages of a conversation, among which its first answer is. */
const FIRST_MESSAGES = 100;
/** Who asks, in messages. */
const USER = 'user';

/**
 * Counts conversations of a tenant by day and agent. A day of a conversation is counted again if it has new, closed or judged
 * messages, and the difference is added: to count twice is to count once.
 *
 * The caller holds the tenant's lock of the indexer, so nobody else changes the counters.
 *
 * @param earlier those of which all days are counted again: they have got messages with lower numbers than are counted
 */
export async function countConversations(
  tx: Queryable,
  tenantId: string,
  conversationIds: string[],
  earlier: string[] = [],
): Promise<void> {
  for (let from = 0; from < conversationIds.length; from += BATCH_SIZE) {
    const ids = await lockRemaining(tx, tenantId, conversationIds.slice(from, from + BATCH_SIZE));
    const days = ids.length > 0 ? await countDays(tx, tenantId, ids, earlier) : [];
    await storeDays(tx, tenantId, days);
    await addToCounts(tx, tenantId, days);
  }
}

/** Nobody deletes these until they are counted. Those that are being deleted are left out. */
async function lockRemaining(tx: Queryable, tenantId: string, ids: string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('conversations')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('id', 'in', ids)
    .forKeyShare()
    .skipLocked()
    .execute();
  return rows.map(({ id }) => id);
}

const MEASURES = [
  'userMessages',
  'agentMessages',
  'inputTokens',
  'answerTokens',
  'totalTokens',
  'up',
  'down',
] as const;
type Counts = Record<(typeof MEASURES)[number], number>;

/** A day of a conversation: what it comes to now, and how much of it is in the counters. */
interface CountedDay extends Counts {
  conversationId: string;
  tenantUnitId: string;
  agentId: string;
  day: string;
  sequence: number;
  /** Whether it is the day of the creation of a conversation that is not counted yet. */
  isNew: boolean;
  /** Of a first answer that is not counted yet. */
  firstAnswerMs: number | null;
  before: Counts | null;
}

async function countDays(
  tx: Queryable,
  tenantId: string,
  ids: string[],
  earlier: string[],
): Promise<CountedDay[]> {
  const dayOf = (time: RawBuilder<unknown>) => sql`(${time} at time zone 'utc')::date`;
  // Distinct, so that the messages of each conversation are looked up by themselves, through an index.
  const daysOf = (condition: RawBuilder<unknown>) => sql`
    select distinct ${dayOf(sql`requested_time`)} as day from messages
    where tenant_id = ${tenantId} and conversation_id = c.id and ${condition}`;
  const tokens = (column: string) =>
    // What a runtime has written may be no number.
    sql`coalesce(sum(${sql.ref(column)}) filter (where ${sql.ref(column)} between 0 and ${sql.lit(Number.MAX_SAFE_INTEGER)}), 0)`;
  const { rows } = await sql<CountedDay>`
    with asked as materialized (
      select c.id, c.tenant_unit_id, c.agent_id, c.message_sequence, ${dayOf(sql`c.created_time`)} as created_day,
        case when c.id = any(${earlier}::text[]) then null else counted.sequence end as sequence, coalesce(counted.is_answered, false) as is_answered
      from conversations as c
      cross join lateral (
        select max(sequence) as sequence, bool_or(first_answer_ms is not null) as is_answered from conversation_days
        where tenant_id = ${tenantId} and conversation_id = c.id) as counted
      where c.tenant_id = ${tenantId} and c.id = any(${ids}::text[])
    ), changed as materialized (
      select id, created_day as day from asked where not is_answered
      union
      select c.id, m.day from asked as c cross join lateral (${daysOf(sql`sequence > c.sequence and sequence > 0`)}) as m
      where c.sequence is not null
      union
      select c.id, m.day from asked as c cross join lateral (${daysOf(sql`true`)}) as m
      where c.sequence is null
    )
    select c.id as conversation_id, c.tenant_unit_id, c.agent_id, d.day::text, c.message_sequence as sequence,
      d.day = c.created_day and k.day is null as is_new, n.*, a.first_answer_ms,
      case when k.day is not null then json_build_object('userMessages', k.user_messages,
        'agentMessages', k.agent_messages, 'inputTokens', k.input_tokens, 'answerTokens', k.answer_tokens,
        'totalTokens', k.total_tokens, 'up', k.up, 'down', k.down) end as before
    from changed as d
    join asked as c on c.id = d.id
    cross join lateral (
      select count(*) filter (where message_from = ${USER}) as user_messages,
        count(*) filter (where message_from <> ${USER}) as agent_messages,
        ${tokens('input_tokens')} as input_tokens, ${tokens('answer_tokens')} as answer_tokens,
        ${tokens('total_tokens')} as total_tokens,
        count(*) filter (where feedback = 'up') as up, count(*) filter (where feedback = 'down') as down
      from messages
      where tenant_id = ${tenantId} and conversation_id = c.id and is_open is not true
        and requested_time >= d.day::timestamp at time zone 'utc'
        and requested_time < (d.day + 1)::timestamp at time zone 'utc') as n
    left join lateral (${firstAnswer(tenantId)}) as a on d.day = c.created_day and not c.is_answered
    left join conversation_days as k
      on k.tenant_id = ${tenantId} and k.conversation_id = d.id and k.day = d.day
  `.execute(tx);
  return rows;
}

/** How long the first answer to the first message of the user took, by their times, in conversation `c`. */
const firstAnswer = (tenantId: string) => sql`
  select round(extract(epoch from min(answer.requested_time) - question.time) * 1000)::float8 as first_answer_ms
  from (${firstMessages(tenantId)}) as answer
  cross join (
    select min(requested_time) as time from (${firstMessages(tenantId)}) as first where message_from = ${USER}) as question
  where answer.message_from <> ${USER} and answer.requested_time > question.time
  group by question.time`;

const firstMessages = (tenantId: string) => sql`
  select message_from, requested_time from messages
  where tenant_id = ${tenantId} and conversation_id = c.id and is_open is not true
  order by requested_time, id limit ${sql.lit(FIRST_MESSAGES)}`;

async function storeDays(tx: Queryable, tenantId: string, days: CountedDay[]): Promise<void> {
  const rows = days.map(
    ({ tenantUnitId: _unit, agentId: _agent, isNew: _new, before: _before, ...day }) =>
      ({ tenantId, ...day }) satisfies Insertable<ConversationDayTable>,
  );
  for (const batch of insertBatches(rows)) {
    await tx
      .insertInto('conversationDays')
      .values(batch)
      .onConflict((known) =>
        known.columns(['tenantId', 'conversationId', 'day']).doUpdateSet((eb) => ({
          ...Object.fromEntries(
            [...MEASURES, 'sequence' as const].map((name) => [name, eb.ref(`excluded.${name}`)]),
          ),
          firstAnswerMs: eb.fn.coalesce('conversationDays.firstAnswerMs', 'excluded.firstAnswerMs'),
        })),
      )
      .execute();
  }
}

type Addition = Insertable<ConversationCountsTable>;

async function addToCounts(tx: Queryable, tenantId: string, days: CountedDay[]): Promise<void> {
  const sums = new Map<string, Addition>();
  for (const one of days) {
    const { tenantUnitId, agentId, day } = one;
    const key = JSON.stringify([day, tenantUnitId, agentId]);
    const sum = sums.get(key) ?? {
      tenantId,
      tenantUnitId,
      agentId,
      day,
      ...NO_SUMS,
      firstAnswers: NO_ANSWERS.slice(),
    };
    sums.set(key, sum);
    sum.conversations += one.isNew ? 1 : 0;
    for (const measure of MEASURES) sum[measure] += one[measure] - (one.before?.[measure] ?? 0);
    if (one.firstAnswerMs === null) continue;
    const bucket = bucketOf(one.firstAnswerMs, FIRST_ANSWER_BOUNDS_MS);
    sum.firstAnswers[bucket] = (sum.firstAnswers[bucket] ?? 0) + 1;
    sum.firstAnswerMs += one.firstAnswerMs;
  }
  for (const batch of insertBatches([...sums.values()])) {
    await tx
      .insertInto('conversationCounts')
      .values(batch)
      .onConflict((known) =>
        known.columns(['tenantId', 'day', 'tenantUnitId', 'agentId']).doUpdateSet((eb) => ({
          ...Object.fromEntries(
            SUMMED.map((name) => [name, eb(`conversationCounts.${name}`, '+', eb.ref(`excluded.${name}`))]),
          ),
          firstAnswers: sql<number[]>`array[${sql.join(
            FIRST_ANSWER_PLACES.map((place) => {
              const at = sql`[${sql.lit(place)}]`;
              return sql`conversation_counts.first_answers${at} + excluded.first_answers${at}`;
            }),
          )}]`,
        })),
      )
      .execute();
  }
}
