import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../../db/schema.js';
import { toConditions } from '../../shared/lists/list-filter.js';
import { selectPageRows } from '../../shared/lists/page-keys.js';
import { bytesOf } from '../../shared/page-bytes.js';
import { type TenantScope, unitsOf } from '../../shared/tenant-scope.js';
import { MAX_REVIEWS } from '../conversations.schema.js';
import { toListFilter } from '../list-filter.js';
import {
  type ConversationExport,
  type ConversationRecord,
  conversationColumns,
  type ExportPosition,
  type MessageRecord,
  messageRecord,
} from './transfer.schema.js';

/** Of a page. One more row than its bytes allow may be in it. */
const MAX_CONVERSATIONS = 20;
const MAX_MESSAGES = 500;
const MAX_BYTES = 2 ** 20;

/** With JSON as the text that PostgreSQL has of it. */
type WithJsonText<T, K extends keyof T> = Omit<T, K> & Record<K, string | null>;
export type ExportedConversation = WithJsonText<ConversationRecord, 'inputs' | 'extendProperties'>;
export type ExportedMessage = WithJsonText<MessageRecord, 'metadata'> & { conversationId: string };

interface Rows<R> {
  rows: R[];
  /** Whether more were found. */
  isCut: boolean;
}

type Scope = TenantScope & { tenantId: string };

/** The next conversations of a filter, the oldest first. */
export async function readConversations(
  db: Database,
  { after, ...filter }: ConversationExport,
): Promise<Rows<ExportedConversation>> {
  const { tenantId } = filter.scope;
  const conditions = { ...toConditions(toListFilter(filter)), tenantId };
  const page = selectPageRows(conditions, {
    direction: 'asc',
    after: after && { time: after.createdTime, id: after.conversationId },
    offset: 0,
    limit: MAX_CONVERSATIONS + 1,
  });
  const bytes = sql`${bytesOf('page.inputs')} + ${bytesOf('page.extendProperties')}
    + ${bytesOf('judged.reviews')}`;
  return cutRows(
    await sql<Measured<ExportedConversation>>`
      select ${columnsOf(conversationColumns.shape, 'c')}, c.named as labels, c.reviews, c.found
      from (
        select page.*, labelled.named, judged.reviews, ${measures(bytes, sql`page.created_time, page.id`)}
        from (${page}) as page ${withLabelsAndReviews('page', tenantId)}
      ) as c
      where c.before < ${sql.lit(MAX_BYTES)}
      order by c.created_time, c.id limit ${sql.lit(MAX_CONVERSATIONS)}
    `.execute(db),
  );
}

/** @returns undefined where there is none */
export async function readConversation(
  db: Database,
  scope: Scope,
  id: string,
): Promise<ExportedConversation | undefined> {
  const units = unitsOf(scope) ?? null;
  const { rows } = await sql<ExportedConversation>`
    select ${columnsOf(conversationColumns.shape, 'c')}, labelled.named as labels, judged.reviews
    from conversations as c ${withLabelsAndReviews('c', scope.tenantId)}
    where c.tenant_id = ${scope.tenantId} and c.id = ${id}
      and (${units}::text[] is null or c.tenant_unit_id = any(${units}))
  `.execute(db);
  return rows[0];
}

/** The messages of conversations, in their order and that of the transcript; those of the first after one of its messages. */
export async function readMessages(
  db: Database,
  tenantId: string,
  conversationIds: string[],
  after: ExportPosition['message'],
): Promise<Rows<ExportedMessage>> {
  const rest = after
    ? sql`and (m.requested_time, m.id) > (${after.requestedTime}::timestamptz, ${after.id})`
    : sql``;
  const order = sql`m.place, m.requested_time, m.id`;
  const bytes = sql`octet_length(m.content) + coalesce(octet_length(m.event_trace), 0)
    + coalesce(octet_length(m.feedback), 0) + coalesce(octet_length(m.feedback_note), 0) + ${bytesOf('m.metadata')}`;
  const limit = sql.lit(MAX_MESSAGES + 1);
  return cutRows(
    await sql<Measured<ExportedMessage>>`
      select m.conversation_id, ${columnsOf(messageRecord.shape, 'm')}, m.found
      from (
        select m.*, ${measures(bytes, order)}
        from (
          select m.*, asked.place
          from unnest(${conversationIds}::text[]) with ordinality as asked (id, place)
          cross join lateral (
            select * from messages as m
            where m.tenant_id = ${tenantId} and m.conversation_id = asked.id ${rest}
            order by m.requested_time, m.id limit ${limit}) as m
          order by asked.place, m.requested_time, m.id limit ${limit}) as m
      ) as m
      where m.before < ${sql.lit(MAX_BYTES)}
      order by ${order} limit ${sql.lit(MAX_MESSAGES)}
    `.execute(db),
  );
}

type Measured<R> = R & { found: number };

function cutRows<R extends object>({ rows }: { rows: Measured<R>[] }): Rows<R> {
  return { rows, isCut: rows.length < (rows[0]?.found ?? 0) };
}

/** How many rows there are, and the bytes of those before. */
const measures = (bytes: RawBuilder<unknown>, order: RawBuilder<unknown>) => sql`
  count(*) over () as found,
  coalesce(sum(${bytes}) over (order by ${order} rows between unbounded preceding and 1 preceding), 0) as before`;

/** Columns of a record. Times have microseconds, and JSON is text: both stay as they are. */
function columnsOf(shape: object, table: string): RawBuilder<unknown> {
  const columns = Object.keys(shape).map((name) => {
    const column = sql.ref(`${table}.${name}`);
    if (JSON_FIELDS.has(name)) return sql`${column}::text as ${sql.ref(name)}`;
    return name.endsWith('Time') ? sql`${exactly(column)} as ${sql.ref(name)}` : column;
  });
  return sql.join(columns);
}

/** Times that no date is of, such as infinity, become the nearest one, as in lists. */
const exactly = (time: RawBuilder<unknown>) => sql`
  case when ${time} is not null then to_char(
    least(greatest(${time}, '0001-01-01T00:00:00Z'), '9999-12-31T23:59:59.999999Z') at time zone 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') end`;

/** Joins `labelled.named` and `judged.reviews` to conversations. */
const withLabelsAndReviews = (table: 'c' | 'page', tenantId: string) => sql`
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('name', l.name, 'color', l.color) order by l.name), '[]') as named
    from labels as l
    where l.tenant_id = ${tenantId} and l.id = any(${sql.ref(`${table}.labels`)}) and l.deleted_time is null
  ) as labelled
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'verdict', r.verdict, 'note', r.note,
      'reviewedTime', ${exactly(sql`r.reviewed_time`)}, 'reviewedBy', r.reviewed_by)
      order by r.reviewed_time, r.id), '[]') as reviews
    from (
      select * from conversation_reviews as r
      where r.tenant_id = ${tenantId} and r.conversation_id = ${sql.ref(`${table}.id`)}
      order by r.reviewed_time desc, r.id desc limit ${sql.lit(MAX_REVIEWS)}) as r
  ) as judged`;

/** Fields whose values are JSON. */
export const JSON_FIELDS: ReadonlySet<string> = new Set(['inputs', 'extendProperties', 'metadata']);
