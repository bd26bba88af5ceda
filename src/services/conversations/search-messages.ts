import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { createConcurrencyLimit } from '../../async/concurrency-limit.js';
import { unavailable } from '../../errors/errors.js';
import type { MessageIndex } from '../../search/messages/search-messages.js';
import { markMatches } from '../../search/operations/mark-matches.js';
import { all, filterConditions, toConditions } from '../shared/lists/list-filter.js';
import { selectPageKeys } from '../shared/lists/page-keys.js';
import { unitsOf } from '../shared/tenant-scope.js';
import { cutPassage } from './cut-passage.js';
import { toListFilter } from './list-filter.js';
import type { FoundMessages, MessageHit, MessageSearch } from './search-messages.schema.js';

/** Characters of a message that are read to find its passage. */
const MAX_READ = 100_000;
/** Characters of a passage. */
const PASSAGE = 300;

/** Searches at a time: each takes processor time from all other requests of the process. */
const PER_TENANT = 1;
const TOTAL = 2;
/** Those of a tenant that wait, and for how long, in milliseconds. */
const WAITING = { maxTasks: 1_000, maxMs: 10_000 };

/**
 * Finds messages and topics of a tenant's conversations by their words.
 *
 * @throws DomainError `unavailable` where too many searches wait, or for too long
 */
export function createMessageSearch({ db, index }: { db: Database; index: MessageIndex }) {
  const limit = createConcurrencyLimit({
    perKey: PER_TENANT,
    total: TOTAL,
    wait: { ...WAITING, toError: () => unavailable('Too many searches of messages are waiting.') },
  });
  return (search: MessageSearch): Promise<FoundMessages> =>
    limit.run(search.scope.tenantId, () => searchMessagesOf(db, search, index));
}

async function searchMessagesOf(
  db: Database,
  search: MessageSearch,
  index: MessageIndex,
): Promise<FoundMessages> {
  const { scope, query: text, language, limit, ...asked } = search;
  const { feedback, requestedFrom, requestedBefore, minTokens, maxTokens, ...filter } = asked;
  const { tenantId } = scope;
  const conditions = { ...toConditions(toListFilter({ scope, ...filter })), tenantId };
  const { agentId, userId, ...listed } = filter;
  const isSet = (value: unknown) => value !== undefined;
  const isListed = Object.values(listed).some(isSet);
  const tenantUnitIds = unitsOf(scope);
  const isFiltered = tenantUnitIds !== undefined || Object.values(filter).some(isSet);
  const { found, isTruncated } = await index({
    tenantId,
    tenantUnitIds,
    text,
    language,
    limit,
    conversations: {
      matches: isFiltered ? all(filterConditions(conditions, 'conversations')) : undefined,
      agentId,
      userId,
      newest: isListed
        ? (most) => selectPageKeys(conditions, { direction: 'desc', offset: 0, limit: most })
        : undefined,
    },
    messages: { feedback, requestedFrom, requestedBefore, minTokens, maxTokens },
  });
  const rows = await readHits(db, tenantId, found);
  const marks = await markMatches(
    { text, language },
    rows.map(({ text }) => text),
    PASSAGE,
  );
  const hits = rows.map(({ text, ...hit }, place) => ({
    ...hit,
    ...cutPassage(text, marks[place] ?? [], PASSAGE),
  }));
  return { hits, isTruncated };
}

interface Found {
  conversationId: string;
  messageId: string | null;
  score: number;
}

type ReadHit = Omit<MessageHit, 'passage' | 'marks'> & { text: string };

/** Those that are still there, in the order in which they were found. */
async function readHits(db: Database, tenantId: string, found: Found[]): Promise<ReadHit[]> {
  const { rows } = await sql<ReadHit>`
    select c.id as conversation_id, c.tenant_unit_id, c.topic, c.agent_id, c.user_id, c.status, found.score,
      m.id as message_id, m.message_from, m.requested_time,
      left(coalesce(m.content, c.topic, ''), ${sql.lit(MAX_READ)}) as text
    from json_to_recordset(${JSON.stringify(found.map((one, place) => ({ ...one, place })))}::json)
      as found ("conversationId" text, "messageId" text, score float8, place int)
    cross join lateral (
      select * from conversations where tenant_id = ${tenantId} and id = found."conversationId" limit 1) as c
    left join lateral (
      select * from messages where tenant_id = ${tenantId} and id = found."messageId" limit 1) as m on true
    where found."messageId" is null or m.id is not null
    order by found.place
  `.execute(db);
  return rows;
}
