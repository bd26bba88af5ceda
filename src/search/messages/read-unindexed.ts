import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { runYielding } from '../../async/steps.js';
import { isInConversation, isMessage } from './conditions.js';
import type { MessageQuery } from './message-query.js';
import { analyzeTextInSteps, keyOfMessage, keyOfTopic } from './message-terms.js';
import type { MessageCandidate } from './read-candidates.js';
import { messagesAfter, newestIndexed } from './unindexed.js';

/** Changes, and messages and bytes of these, that a search reads and analyzes. */
const MAX_CHANGES = 200;
const MAX_MESSAGES = 200;
const MAX_BYTES = 400_000;
/** Characters of a topic that are searched. */
export const MAX_TOPIC = 10_000;

export interface Unindexed {
  messages: MessageCandidate[];
  /** The conversations that changed, whose indexed topics do not count. */
  conversationIds: ReadonlySet<string>;
  /** Whether there are more. */
  isTruncated: boolean;
}

/** The newest messages and topics that are not indexed yet, of those that pass the filters. */
export async function readUnindexed(db: Database, query: MessageQuery): Promise<Unindexed> {
  const { tenantId } = query;
  const changes = await db
    .selectFrom('messageChanges')
    .select(['conversationId', 'hasEarlier'])
    .where('tenantId', '=', tenantId)
    .orderBy('id', 'desc')
    .limit(MAX_CHANGES)
    .execute();
  // Mostly: the other statement takes longer to plan than all the rest of a search.
  if (changes.length === 0) return { messages: [], conversationIds: new Set(), isTruncated: false };
  const ids = changes.map(({ conversationId }) => conversationId);
  const earlier = changes.map(({ hasEarlier }) => hasEarlier);
  const { rows } = await sql<Row>`
    with changed as materialized (
      select id, bool_or(has_earlier) as has_earlier
      from unnest(${ids}::text[], ${earlier}::boolean[]) as changes (id, has_earlier) group by id
    ), newest as materialized (
      select c.id as conversation_id, m.id as message_id, m.requested_time
      from changed as c
      left join lateral (${newestIndexed(tenantId, sql`c.id`)}) as indexed on true
      cross join lateral (
        select * from (${messagesAfter(tenantId, sql`c.id`, sql`c.has_earlier`)}) as later
        order by sequence desc, id limit ${sql.lit(MAX_MESSAGES + 1)}) as m
      where ${isInConversation(query, sql`c.id`)} and ${isMessage(query, sql`m.id`)}
      order by m.requested_time desc limit ${sql.lit(MAX_MESSAGES + 1)}
    ), sized as (
      select n.conversation_id, n.message_id, m.content,
        row_number() over newest_first as number, sum(octet_length(m.content)) over newest_first as bytes
      from newest as n
      cross join lateral (select content from messages where tenant_id = ${tenantId} and id = n.message_id limit 1) as m
      window newest_first as (order by n.requested_time desc, n.message_id)
    )
    select s.conversation_id, s.message_id,
      case when s.bytes <= ${sql.lit(MAX_BYTES)} and s.number <= ${sql.lit(MAX_MESSAGES)} then s.content end as content
    from sized as s
    union all
    select c.id, null, t.topic
    from changed as c
    cross join lateral (
      select left(topic, ${sql.lit(MAX_TOPIC)}) as topic from conversations
      where tenant_id = ${tenantId} and id = c.id limit 1) as t
    where t.topic is not null and ${isInConversation(query, sql`c.id`)} and ${isMessage(query, sql`null::text`)}
  `.execute(db);
  const messages: MessageCandidate[] = [];
  for (const { conversationId, messageId, content } of rows) {
    if (content === null) continue;
    const chunkId = messageId === null ? keyOfTopic(conversationId) : keyOfMessage(messageId);
    const analyzed = await runYielding(analyzeTextInSteps(content));
    messages.push({ chunkId, conversationId, messageId, ...analyzed });
  }
  return {
    messages,
    conversationIds: new Set(ids),
    isTruncated: changes.length === MAX_CHANGES || messages.length < rows.length,
  };
}

interface Row {
  conversationId: string;
  /** Null: the topic. */
  messageId: string | null;
  /** Null where there is too much of it. */
  content: string | null;
}
