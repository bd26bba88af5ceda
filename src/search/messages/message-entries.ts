import { type RawBuilder, sql } from 'kysely';
import { type EntryRange, intersectRanges, rangesOf } from '../filter/entry.js';
import type { MessageQuery } from './message-query.js';

/** In the tables of postings, messages of a unit are a dataset with this id, which no dataset of documents can have. */
export const MESSAGES = '';

/** What segments say of each message besides its words, as of the metadata of chunks: what never changes of it. */
const NAME = { agent: 'agent', user: 'user', day: 'day' } as const;

const DAY_MS = 86_400_000;

/** A query for the object with the entries of a message; a topic has no day. */
export const selectEntries = (
  tenantId: string,
  conversationId: RawBuilder<unknown>,
  messageId: RawBuilder<unknown>,
) => sql`
  select jsonb_build_object(${NAME.agent}::text, c.agent_id, ${NAME.user}::text, c.user_id, ${NAME.day}::text, (
    select floor(1000 * extract(epoch from requested_time) / ${sql.lit(DAY_MS)}) from messages
    where tenant_id = ${tenantId} and id = ${messageId} limit 1)) as metadata
  from conversations as c where c.tenant_id = ${tenantId} and c.id = ${conversationId} limit 1`;

/** Where the entries are of messages that may pass: of each list, a message has one. */
export function entryRanges({ conversations, messages }: MessageQuery): EntryRange[][] {
  const { agentId, userId } = conversations;
  const { requestedFrom, requestedBefore } = messages;
  const equal = (name: string, value: string) => rangesOf({ type: 'eq', key: name, value }, name) ?? [];
  const bound = (type: 'gte' | 'lte', time: number | undefined) => {
    if (time === undefined) return undefined;
    return rangesOf({ type, key: NAME.day, value: Math.floor(time / DAY_MS) }, NAME.day)?.[0];
  };
  const from = bound('gte', requestedFrom?.getTime());
  // The bound itself does not pass.
  const before = bound('lte', requestedBefore && requestedBefore.getTime() - 1);
  const days = from && before ? intersectRanges(from, before) : (from ?? before);
  return [
    agentId === undefined ? [] : equal(NAME.agent, agentId),
    userId === undefined ? [] : equal(NAME.user, userId),
    days ? [days] : [],
  ].filter((ranges) => ranges.length > 0);
}
