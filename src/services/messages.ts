import type { Database } from '../../db/schema.js';
import type { Conversations } from './conversations.js';
import type { Message, MessageFilter } from './messages.schema.js';
import { assertWithin, offsetOf, type Page, toPage } from './paging.js';
import { inScope } from './scope.js';

export interface MessagesDependencies {
  db: Database;
  conversations: Pick<Conversations, 'get'>;
  maxPageSize: number;
}

export type Messages = ReturnType<typeof createMessages>;

/** The messages of conversations: written by the agent runtime, read here. */
export function createMessages({ db, conversations, maxPageSize }: MessagesDependencies) {
  return { list };

  /** Oldest first. */
  async function list(filter: MessageFilter): Promise<Page<Message>> {
    assertWithin(maxPageSize, filter.pageSize, 'pageSize');
    const { tenantId } = await conversations.get(filter);
    const matching = db
      .selectFrom('messages')
      .where('tenantId', '=', tenantId)
      .where('conversationId', '=', filter.conversationId)
      .where(inScope(filter.scope));
    const [{ count }, items] = await Promise.all([
      matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
      matching
        .selectAll()
        .orderBy('requestedTime')
        .orderBy('id')
        .limit(filter.pageSize)
        .offset(offsetOf(filter))
        .execute(),
    ]);
    return toPage(filter, items, count);
  }
}
