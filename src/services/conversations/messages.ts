import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { notFound } from '../../errors/errors.js';
import type { MessageIndex } from '../../search/messages/search-messages.js';
import { assertPageBytes } from '../shared/page-bytes.js';
import { assertAtMost, offsetOf, type Page, toPage } from '../shared/pagination.js';
import { withinTenant } from '../shared/tenant-scope.js';
import { createMessageAppend, type MessageAppendDependencies } from './append-messages.js';
import type { Conversations } from './conversations.js';
import { createMessageFollow } from './follow-messages.js';
import type { Message, MessageFilter } from './messages.schema.js';
import { createMessageSearch } from './search-messages.js';
import { selectMessages } from './select-messages.js';
import { createFeedback } from './set-feedback.js';
import { createMessageStream } from './stream-message.js';

export interface MessagesDependencies extends MessageAppendDependencies {
  conversations: Pick<Conversations, 'get'>;
  /** Connections for searches alone. */
  searchDb: Database;
  messageIndex: MessageIndex;
  maxPageSize: number;
  /** Aborts on shutdown, so that followers do not delay it. */
  stopping: AbortSignal;
}

export type Messages = ReturnType<typeof createMessages>;

/** The messages of conversations. */
export function createMessages({
  db,
  searchDb,
  messageIndex,
  conversations,
  maxPageSize,
  stopping,
  ...writing
}: MessagesDependencies) {
  return {
    list,
    search: createMessageSearch({ db: searchDb, index: messageIndex }),
    append: createMessageAppend({ db, ...writing }),
    stream: createMessageStream({ db, ...writing }),
    setFeedback: createFeedback({ db, ...writing }),
    follow: createMessageFollow({ db, conversations, stopping }),
  };

  async function list(asked: MessageFilter): Promise<Page<Message>> {
    assertAtMost(maxPageSize, asked.pageSize, 'pageSize');
    const { tenantId } = await conversations.get(asked);
    const filter = { ...asked, page: (await findPage(tenantId, asked)) ?? asked.page };
    const direction = filter.order === 'recent' ? 'desc' : 'asc';
    const matching = db
      .selectFrom('messages')
      .where('tenantId', '=', tenantId)
      .where('conversationId', '=', filter.conversationId)
      .where(withinTenant(filter.scope));
    const [{ count }, items] = await Promise.all([
      matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
      selectMessages(db, tenantId, () =>
        matching
          .select('id')
          .orderBy('requestedTime', direction)
          .orderBy('id', direction)
          .limit(filter.pageSize)
          .offset(offsetOf(filter)),
      )
        .orderBy('m.requestedTime', direction)
        .orderBy('m.id', direction)
        .execute(),
    ]);
    assertPageBytes(items);
    return toPage(filter, items, count);
  }

  /** @throws DomainError `not_found` for the message */
  async function findPage(
    tenantId: string,
    { scope, conversationId, around, order, pageSize }: MessageFilter,
  ): Promise<number | undefined> {
    if (around === undefined) return undefined;
    const { before } = await db
      .selectFrom('messages as m')
      .select((eb) =>
        eb
          .selectFrom('messages as other')
          .select(sql<number>`count(*)`.as('count'))
          .where('other.tenantId', '=', tenantId)
          .where('other.conversationId', '=', conversationId)
          .where(
            order === 'recent'
              ? sql<boolean>`(other.requested_time, other.id) > (m.requested_time, m.id)`
              : sql<boolean>`(other.requested_time, other.id) < (m.requested_time, m.id)`,
          )
          .as('before'),
      )
      .where('m.tenantId', '=', tenantId)
      .where('m.conversationId', '=', conversationId)
      .where('m.id', '=', around)
      .where(withinTenant(scope, 'm'))
      .executeTakeFirstOrThrow(() => notFound('Message', ['around']));
    return Math.floor((before ?? 0) / pageSize) + 1;
  }
}
