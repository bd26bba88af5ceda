import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import {
  FIRST_ANSWER_BOUNDS_MS,
  FIRST_ANSWER_PLACES,
  NO_ANSWERS,
  NO_SUMS,
  SUMMED,
} from '../../derived-data/conversation-sums.js';
import { invalid } from '../../errors/errors.js';
import { quantileMs } from '../../metrics/histogram.js';
import { unitsOf } from '../shared/tenant-scope.js';
import type { ConversationNumbers, ConversationsOverview, ConversationsRequest } from './overview.schema.js';
import { countConversations } from './status-counts.js';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;
const MAX_AGENTS = 20;

/** Sums of counters. */
type Sums = Omit<ConversationNumbers, 'firstAnswers'> & { firstAnswers: number[]; firstAnswerMs: number };

/**
 * Conversations over some days, from the counters of each day and agent, and how many have each status now.
 *
 * @throws DomainError `invalid` where the days are too many or in the wrong order
 */
export async function readConversations(
  db: Database,
  request: ConversationsRequest,
  now: Date,
): Promise<ConversationsOverview> {
  const days = daysOf(request, now);
  const counts = selectCounts(request, days);
  const { rows: byDay } = await sql<Sums & { day: string }>`
    select day::text, ${SUMS} from ${counts} group by day
  `.execute(db);
  const { rows: byAgent } = await sql<Sums & { agentId: string }>`
    select agent_id, ${SUMS} from ${counts} group by agent_id
    order by sum(conversations) desc, sum(user_messages + agent_messages) desc, agent_id limit ${sql.lit(MAX_AGENTS + 1)}
  `.execute(db);
  const sums = new Map(byDay.map((row) => [row.day, row]));
  const total = byDay.reduce((sum, row) => combine(sum, row, 1), NOTHING);
  const agents = byAgent.slice(0, MAX_AGENTS);
  const isMore = byAgent.length > agents.length;
  return {
    days: days.map((day) => ({ day, ...toNumbers(sums.get(day) ?? NOTHING) })),
    total: toNumbers(total),
    agents: agents.map(({ agentId, ...sum }) => ({ agentId, ...toNumbers(sum) })),
    otherAgents: isMore ? toNumbers(agents.reduce((rest, row) => combine(rest, row, -1), total)) : null,
    statuses: await countConversations(db, request),
  };
}

/** Every day of the request, as `2026-11-30`. */
function daysOf({ from, to }: ConversationsRequest, now: Date): string[] {
  const last = Date.parse(to ?? toDay(now.getTime()));
  const first = from === undefined ? last - (DEFAULT_DAYS - 1) * DAY_MS : Date.parse(from);
  const length = (last - first) / DAY_MS + 1;
  if (length < 1) throw invalid('must not be after to', ['from']);
  if (length > MAX_DAYS) throw invalid(`must be at most ${MAX_DAYS} days before to`, ['from']);
  return Array.from({ length }, (_, i) => toDay(first + i * DAY_MS));
}

const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

const selectCounts = ({ scope, agentId }: ConversationsRequest, days: string[]): RawBuilder<unknown> => {
  const units = unitsOf(scope);
  return sql`(
    select * from conversation_counts
    where tenant_id = ${scope.tenantId} and day >= ${days[0]}::date and day <= ${days.at(-1)}::date
      ${units ? sql`and tenant_unit_id = any(${units})` : sql``}
      ${agentId === undefined ? sql`` : sql`and agent_id = ${agentId}`}) as counts`;
};

const SUMS = sql`sum(conversations)::bigint as conversations, sum(user_messages)::bigint as user_messages,
  sum(agent_messages)::bigint as agent_messages, sum(input_tokens) as input_tokens, sum(answer_tokens) as answer_tokens,
  sum(total_tokens) as total_tokens, sum(up)::bigint as up, sum(down)::bigint as down,
  array[${sql.join(FIRST_ANSWER_PLACES.map((place) => sql`sum(first_answers[${sql.lit(place)}])`))}]::float8[] as first_answers,
  sum(first_answer_ms) as first_answer_ms`;

const NOTHING: Sums = { ...NO_SUMS, firstAnswers: [...NO_ANSWERS] };

/** One more or, with sign -1, one less. */
function combine(sum: Sums, one: Sums, sign: 1 | -1): Sums {
  const firstAnswers = sum.firstAnswers.map((count, i) => count + sign * (one.firstAnswers[i] ?? 0));
  const combined = { ...sum, firstAnswers };
  for (const name of SUMMED) combined[name] += sign * one[name];
  return combined;
}

function toNumbers({ firstAnswers, firstAnswerMs, ...numbers }: Sums): ConversationNumbers {
  const count = firstAnswers.reduce((sum, one) => sum + one, 0);
  const quantile = (share: number) => quantileMs(firstAnswers, share, FIRST_ANSWER_BOUNDS_MS);
  return {
    ...numbers,
    firstAnswers: {
      count,
      averageMs: count > 0 ? firstAnswerMs / count : null,
      medianMs: quantile(0.5),
      p95Ms: quantile(0.95),
    },
  };
}
