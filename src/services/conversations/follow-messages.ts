import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Database } from '../../../db/schema.js';
import { isOutage } from '../../errors/errors.js';
import { MAX_PAGE_BYTES } from '../shared/page-bytes.js';
import { createSharedPoll } from '../shared/shared-poll.js';
import { type TenantUnitRef, withinTenant } from '../shared/tenant-scope.js';
import type { Conversations } from './conversations.js';
import type { FollowedMessages, Message, MessageFollow } from './messages.schema.js';
import { selectMessages } from './select-messages.js';

export interface MessageFollowDependencies {
  db: Database;
  conversations: Pick<Conversations, 'get'>;
  /** Aborts on shutdown, so that followers do not delay it. */
  stopping: AbortSignal;
}

const INTERVAL_MS = 300;
/** Messages in one event. */
const BATCH = 20;
/** Open messages of a conversation that are followed. */
const MAX_OPEN = 20;

interface Followed {
  scope: TenantUnitRef;
  conversationId: string;
}

/** Changes of a conversation, and the number of its last message up to them. */
export interface FollowEvent extends FollowedMessages {
  sequence: number;
}

/** A conversation at one moment. */
interface Snapshot {
  /** The greatest number of its messages. */
  sequence: number;
  /** Its open messages. */
  open: { id: string; parts: number }[];
}

/** What a follower has got of open messages, by id. */
type Progress = Map<string, { parts: number; characters: number }>;

/** Messages as they are stored, by the numbers that they have in their conversation, and the text of those that are open. */
export function createMessageFollow({ db, conversations, stopping }: MessageFollowDependencies) {
  // Polling is simple, survives outages and covers all processes.
  const poll = createSharedPoll({
    // An answer of its own, because none means an outage.
    query: async (all: Followed[]) => (await readSnapshots(all)).map((snapshot) => ({ snapshot })),
    intervalMs: INTERVAL_MS,
    stopping,
  });

  /**
   * The newest messages of a conversation, or those after `lastEventId`, and then what is stored, in the order in which
   * transactions are committed. Pauses during an outage of the database. Ends when the conversation is deleted.
   *
   * @returns events, which throw an AbortError when `signal` aborts or the service shuts down
   * @throws DomainError `not_found` for the conversation
   */
  return async function follow(
    { scope, conversationId, last, lastEventId }: MessageFollow,
    signal?: AbortSignal,
  ): Promise<AsyncGenerator<FollowEvent, void>> {
    const { tenantId, tenantUnitId } = await conversations.get({ scope, conversationId });
    const followed: Followed = { scope: { tenantId, tenantUnitId }, conversationId };
    if (lastEventId != null) return eventsAfter(followed, Number(lastEventId), new Map(), signal);
    const [snapshot] = await readSnapshots([followed]);
    const progress: Progress = new Map();
    const messages = last === 0 ? [] : await readNewest(followed, last, progress);
    return eventsFrom(followed, { sequence: snapshot?.sequence ?? 0, messages, texts: [] }, progress, signal);
  };

  async function* eventsFrom(
    followed: Followed,
    first: FollowEvent,
    progress: Progress,
    signal: AbortSignal | undefined,
  ) {
    yield first;
    yield* eventsAfter(followed, first.sequence, progress, signal);
  }

  async function* eventsAfter(
    followed: Followed,
    start: number,
    progress: Progress,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<FollowEvent, void> {
    let sequence = start;
    for (;;) {
      const answer = await poll.next(followed, signal);
      if (!answer) continue;
      const { snapshot } = answer;
      if (!snapshot) return;
      // Another conversation has the id now, or a backup was restored.
      if (snapshot.sequence < sequence) sequence = 0;
      while (sequence < snapshot.sequence) {
        const event = await duringOutage(readAfter(followed, sequence, progress));
        if (!event) break;
        if (event.messages.length > 0) yield event;
        // Numbers that were taken for messages which had been stored before belong to none.
        sequence = event.messages.length > 0 ? event.sequence : snapshot.sequence;
      }
      for (const { id, parts } of snapshot.open) {
        if ((progress.get(id)?.parts ?? 0) >= parts) continue;
        const event = await duringOutage(readOpen(followed, id, progress));
        if (event) yield { ...event, sequence };
      }
    }
  }

  /** @returns undefined where there is no such conversation any more */
  async function readSnapshots(all: Followed[]): Promise<(Snapshot | undefined)[]> {
    const tenantId = all[0]?.scope.tenantId ?? '';
    const rows = await db
      .selectFrom('conversations as c')
      .select(['c.id', 'c.tenantUnitId', 'c.messageSequence as sequence'])
      .select((eb) =>
        jsonArrayFrom(
          eb
            .selectFrom('messages as m')
            .select(['m.id', 'm.writtenParts as parts'])
            .where('m.tenantId', '=', tenantId)
            .whereRef('m.conversationId', '=', 'c.id')
            .where(sql<boolean>`m.is_open`)
            .orderBy('m.id')
            .limit(MAX_OPEN),
        ).as('open'),
      )
      .where('c.tenantId', '=', tenantId)
      .where('c.id', '=', sql<string>`any(${[...new Set(all.map(({ conversationId }) => conversationId))]})`)
      .execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    return all.map(({ scope, conversationId }) => {
      const row = byId.get(conversationId);
      if (row?.tenantUnitId !== scope.tenantUnitId) return undefined;
      const open = row.open.map(({ id, parts }) => ({ id, parts: parts ?? 0 }));
      return { sequence: row.sequence, open };
    });
  }

  function messagesOf({ scope, conversationId }: Followed) {
    return db.selectFrom('messages').where('conversationId', '=', conversationId).where(withinTenant(scope));
  }

  function select({ scope }: Followed, page: Parameters<typeof selectMessages>[2]) {
    return selectMessages(db, scope.tenantId, page).select([
      'm.sequence',
      'm.isOpen',
      'm.writtenParts as parts',
      sql<number | null>`case when m.is_open then char_length(m.content) end`.as('characters'),
    ]);
  }

  async function readNewest(followed: Followed, count: number, progress: Progress): Promise<Message[]> {
    const read = (limit: number) =>
      select(followed, () =>
        messagesOf(followed).select('id').orderBy('requestedTime', 'desc').orderBy('id', 'desc').limit(limit),
      )
        .orderBy('m.requestedTime')
        .orderBy('m.id')
        .execute();
    return (await fitting(read, count)).map((row) => toFollowed(row, progress));
  }

  async function readAfter(followed: Followed, sequence: number, progress: Progress): Promise<FollowEvent> {
    const read = (limit: number) =>
      select(followed, () =>
        messagesOf(followed)
          .select('id')
          .where('sequence', '>', sequence)
          // As the index says.
          .where(sql<boolean>`sequence > 0`)
          .orderBy('sequence')
          .limit(limit),
      )
        .orderBy('m.sequence')
        .execute();
    const rows = await fitting(read, BATCH);
    const end = rows.at(-1)?.sequence ?? sequence;
    return { sequence: end, messages: rows.map((row) => toFollowed(row, progress)), texts: [] };
  }

  /** What an open message has got since the follower saw it, or all of it. */
  async function readOpen(
    followed: Followed,
    messageId: string,
    progress: Progress,
  ): Promise<FollowedMessages | undefined> {
    const before = progress.get(messageId);
    if (!before) {
      const [row] = await select(followed, () =>
        messagesOf(followed).select('id').where('id', '=', messageId),
      ).execute();
      return row && { messages: [toFollowed(row, progress)], texts: [] };
    }
    const row = await messagesOf(followed)
      .select([
        'writtenParts as parts',
        sql<string>`substr(content, ${before.characters + 1}::int)`.as('text'),
        sql<number>`char_length(content)`.as('characters'),
      ])
      .where('id', '=', messageId)
      .where('isOpen', '=', true)
      .executeTakeFirst();
    if (!row) return undefined;
    progress.set(messageId, { parts: row.parts ?? 0, characters: row.characters });
    return { messages: [], texts: row.text === '' ? [] : [{ messageId, text: row.text }] };
  }
}

type Row = Message & {
  pageBytes: number;
  sequence: number | null;
  isOpen: boolean | null;
  parts: number | null;
  characters: number | null;
};

function toFollowed(
  { pageBytes: _, sequence: _sequence, isOpen, parts, characters, ...message }: Row,
  progress: Progress,
): Message {
  if (isOpen) progress.set(message.id, { parts: parts ?? 0, characters: characters ?? 0 });
  else progress.delete(message.id);
  return message;
}

/** Reads so many messages, or one where so many are too large for one event. */
async function fitting<R extends { pageBytes: number }>(
  read: (limit: number) => Promise<R[]>,
  limit: number,
): Promise<R[]> {
  const rows = await read(limit);
  return (rows[0]?.pageBytes ?? 0) > MAX_PAGE_BYTES && rows.length > 1 ? read(1) : rows;
}

/** @returns undefined where the database is away */
async function duringOutage<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isOutage(error)) return undefined;
    throw error;
  }
}
