import { sql } from 'kysely';
import type { Database, Queryable } from '../../../db/schema.js';
import { runYielding } from '../../async/steps.js';
import { countConversations } from '../../derived-data/count-conversations.js';
import { addToSegments, countDead, lockTenant, type MovedChanges } from '../postgres/postings/merge.js';
import type { IndexedDataset } from '../postgres/postings/write-segment.js';
import { MESSAGES } from './message-entries.js';
import { analyzeTextInSteps, keyOfMessage, keyOfTopic } from './message-terms.js';
import { readPostedMessages } from './posted-messages.js';
import { MAX_TOPIC } from './read-unindexed.js';
import { messagesAfter, newestIndexed } from './unindexed.js';

/** Of one transaction: changes, messages, and bytes of their texts. */
const MAX_CHANGES = 500;
const MAX_MESSAGES = 10_000;
const MAX_BYTES = 4 * 2 ** 20;
/** Terms of one statement, in characters. */
const MAX_TERMS = 2 ** 20;

/**
 * Indexes messages and topics of a tenant that are not indexed yet, of the conversations that changed last first: a backlog
 * waits until there is nothing new. A message that is still being written is indexed when it is closed. Counts them, too.
 *
 * @param signal ends it; nothing is changed then
 */
export const moveMessages = (db: Database, tenantId: string, signal?: AbortSignal): Promise<MovedChanges> =>
  db.transaction().execute(async (tx) => {
    if (!(await lockTenant(tx, tenantId))) return { hasMore: false, datasets: [] };
    const changes = await readChanges(tx, tenantId);
    if (changes.length === 0) return { hasMore: false, datasets: [] };
    const deleted = changes.flatMap(({ conversationId, goneKey }) =>
      goneKey === null ? [] : [{ documentId: conversationId, chunkIds: [goneKey] }],
    );
    await deleteMessages(
      tx,
      tenantId,
      deleted.flatMap(({ chunkIds }) => chunkIds),
    );
    const conversationIds = [...new Set(changes.map(({ conversationId }) => conversationId))];
    const earlier = changes
      .filter(({ hasEarlier }) => hasEarlier)
      .map(({ conversationId }) => conversationId);
    const topics = await readTopics(tx, tenantId, conversationIds);
    const { messages, unread } = await readMessages(tx, tenantId, [...topics.keys()], earlier);
    signal?.throwIfAborted();
    const named = [...topics.values()].filter(({ content }) => content !== '');
    const stored = await storeTerms(tx, tenantId, [...named, ...messages]);
    const unnamed = [...topics.values()].filter(({ content }) => content === '');
    await deleteTopics(
      tx,
      tenantId,
      unnamed.map(({ conversationId }) => conversationId),
    );
    const gone = conversationIds.filter((id) => !topics.has(id));
    const outdated = await countDead(tx, tenantId, [
      ...gone.map((documentId) => ({ documentId, chunkIds: null })),
      ...deleted,
      ...stored
        .filter(({ isNew }) => !isNew)
        .map(({ key, conversationId }) => ({ documentId: conversationId, chunkIds: [key] })),
    ]);
    const added = groupByDataset(tenantId, stored);
    for (const { dataset, keys } of added) {
      await addToSegments(tx, dataset, { further: keys, read: readPostedMessages, signal });
    }
    await countConversations(tx, tenantId, conversationIds, earlier);
    const done = changes.filter(({ conversationId }) => !unread.has(conversationId));
    await sql`
      delete from message_changes where tenant_id = ${tenantId} and id = any(${done.map(({ id }) => id)})
    `.execute(tx);
    return {
      hasMore: unread.size > 0 || changes.length === MAX_CHANGES,
      datasets: [...added.map(({ dataset }) => dataset), ...outdated],
    };
  });

const readChanges = (tx: Queryable, tenantId: string) =>
  tx
    .selectFrom('messageChanges')
    .select(['id', 'conversationId', 'goneKey', 'hasEarlier'])
    .where('tenantId', '=', tenantId)
    .orderBy('id', 'desc')
    .limit(MAX_CHANGES)
    .execute();

interface Text {
  tenantUnitId: string;
  conversationId: string;
  /** Null: a topic. */
  messageId: string | null;
  sequence: number;
  content: string;
}

/** The topics of the conversations that are still there; of one without a topic, an empty one. */
async function readTopics(
  tx: Queryable,
  tenantId: string,
  conversationIds: string[],
): Promise<Map<string, Text>> {
  const { rows } = await sql<Text>`
    select tenant_unit_id, id as conversation_id, null as message_id, -1 as sequence, left(coalesce(topic, ''), ${sql.lit(MAX_TOPIC)}) as content
    from conversations where tenant_id = ${tenantId} and id = any(${conversationIds}::text[])
  `.execute(tx);
  return new Map(rows.map((row) => [row.conversationId, row]));
}

/** Messages beyond those that are indexed, in some conversations also before them, and the conversations of which there are more. */
async function readMessages(
  tx: Queryable,
  tenantId: string,
  conversationIds: string[],
  earlier: string[],
): Promise<{ messages: Text[]; unread: Set<string> }> {
  const { rows: found } = await sql<{ conversationId: string; id: string; bytes: number }>`
    select asked.id as conversation_id, m.id, octet_length(m.content) as bytes
    from unnest(${conversationIds}::text[]) with ordinality as asked (id, place)
    left join lateral (${newestIndexed(tenantId, sql`asked.id`)}) as indexed on true
    cross join lateral (
      select * from (${messagesAfter(tenantId, sql`asked.id`, sql`asked.id = any(${earlier}::text[])`)}) as later
      order by sequence, id limit ${sql.lit(MAX_MESSAGES + 1)}) as m
    order by asked.place, m.sequence, m.id limit ${sql.lit(MAX_MESSAGES + 1)}
  `.execute(tx);
  let bytes = 0;
  const end = found.findIndex((one, place) => {
    bytes += one.bytes;
    return place === MAX_MESSAGES || (place > 0 && bytes > MAX_BYTES);
  });
  const chosen = end < 0 ? found : found.slice(0, end);
  const { rows } = await sql<Text>`
    select tenant_unit_id, conversation_id, id as message_id, sequence, content
    from messages where tenant_id = ${tenantId} and id = any(${chosen.map(({ id }) => id)}::text[])
    order by sequence
  `.execute(tx);
  const rest = end < 0 ? [] : found.slice(end);
  // Of conversations behind the limit nothing was found.
  const last = rest.at(-1)?.conversationId;
  const behind = last === undefined ? [] : conversationIds.slice(conversationIds.indexOf(last));
  return {
    messages: rows,
    unread: new Set([...rest.map(({ conversationId }) => conversationId), ...behind]),
  };
}

async function deleteTopics(tx: Queryable, tenantId: string, conversationIds: string[]): Promise<void> {
  await sql`
    delete from message_terms where tenant_id = ${tenantId} and key = any(${conversationIds.map(keyOfTopic)}::uuid[])
  `.execute(tx);
}

/** But for those that were stored again under their ids. */
async function deleteMessages(tx: Queryable, tenantId: string, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    delete from message_terms as t where t.tenant_id = ${tenantId} and t.key = any(${keys}::uuid[])
      and not exists (select from messages as m where m.tenant_id = ${tenantId} and m.id = t.message_id)
  `.execute(tx);
}

interface StoredTerms {
  key: string;
  conversationId: string;
  tenantUnitId: string;
  /** Else the text has changed. */
  isNew: boolean;
}

/** Stores the terms of texts. Returns those that are new or changed; a message has only got another number. */
async function storeTerms(tx: Queryable, tenantId: string, texts: Text[]): Promise<StoredTerms[]> {
  const stored: StoredTerms[] = [];
  let batch: object[] = [];
  let characters = 0;
  const flush = async () => {
    if (batch.length === 0) return;
    // Joined with the conversations, of which one may have been deleted meanwhile.
    const { rows } = await sql<StoredTerms & { messageId: string | null }>`
      insert into message_terms as t (tenant_id, key, conversation_id, message_id, sequence, length, terms)
      select c.tenant_id, n.key, c.id, n.message_id, n.sequence, n.length, n.terms
      from conversations as c
      cross join json_to_recordset(${JSON.stringify(batch)}::json) as n (
        key uuid, conversation_id text, message_id text, sequence bigint, length int, terms text)
      where c.tenant_id = ${tenantId} and c.id = n.conversation_id
      on conflict (tenant_id, key) do update
        set sequence = excluded.sequence, length = excluded.length, terms = excluded.terms
        where t.sequence <> excluded.sequence or t.terms <> excluded.terms
      returning key, conversation_id, message_id, (xmax = 0) as is_new
    `.execute(tx);
    for (const row of rows) if (row.isNew || row.messageId === null) stored.push(row);
    batch = [];
    characters = 0;
  };
  const units = new Map(texts.map(({ conversationId, tenantUnitId }) => [conversationId, tenantUnitId]));
  for (const { conversationId, messageId, sequence, content } of texts) {
    const key = messageId === null ? keyOfTopic(conversationId) : keyOfMessage(messageId);
    const analyzed = await runYielding(analyzeTextInSteps(content));
    if (characters > 0 && characters + analyzed.terms.length > MAX_TERMS) await flush();
    batch.push({ key, conversation_id: conversationId, message_id: messageId, sequence, ...analyzed });
    characters += analyzed.terms.length + 1;
  }
  await flush();
  return stored.map((row) => ({ ...row, tenantUnitId: units.get(row.conversationId) as string }));
}

function groupByDataset(
  tenantId: string,
  stored: StoredTerms[],
): { dataset: IndexedDataset; keys: string[] }[] {
  const groups = new Map<string, string[]>();
  for (const { tenantUnitId, key } of stored) {
    const keys = groups.get(tenantUnitId);
    if (keys) keys.push(key);
    else groups.set(tenantUnitId, [key]);
  }
  return [...groups].map(([tenantUnitId, keys]) => ({
    dataset: { tenantId, tenantUnitId, datasetId: MESSAGES },
    keys,
  }));
}
