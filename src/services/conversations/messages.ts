import type { Database } from '../../../db/schema.js';
import {
  assertPageBytes,
  measureRowBytes,
  objectWithinLimit,
  pageBytes,
  textWithinLimit,
} from '../shared/page-bytes.js';
import { assertAtMost, offsetOf, type Page, toPage } from '../shared/pagination.js';
import { withinTenant } from '../shared/tenant-scope.js';
import type { Conversations } from './conversations.js';
import type { Message, MessageFilter } from './messages.schema.js';

export interface MessagesDependencies {
  db: Database;
  conversations: Pick<Conversations, 'get'>;
  maxPageSize: number;
}

export type Messages = ReturnType<typeof createMessages>;

/** The messages of conversations: written by the agent runtime, read here. */
export function createMessages({ db, conversations, maxPageSize }: MessagesDependencies) {
  return { list };

  async function list(filter: MessageFilter): Promise<Page<Message>> {
    assertAtMost(maxPageSize, filter.pageSize, 'pageSize');
    const { tenantId } = await conversations.get(filter);
    const direction = filter.order === 'recent' ? 'desc' : 'asc';
    const matching = db
      .selectFrom('messages')
      .where('tenantId', '=', tenantId)
      .where('conversationId', '=', filter.conversationId)
      .where(withinTenant(filter.scope));
    const [{ count }, items] = await Promise.all([
      matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
      db
        .with('page', () =>
          matching
            .select('id')
            .orderBy('requestedTime', direction)
            .orderBy('id', direction)
            .limit(filter.pageSize)
            .offset(offsetOf(filter)),
        )
        .selectFrom('messages as m')
        .innerJoin('page', 'page.id', 'm.id')
        .innerJoinLateral(measureRowBytes('m.metadata', ['m.content', 'm.eventTrace']), (join) =>
          join.onTrue(),
        )
        .where('m.tenantId', '=', tenantId)
        .select(listedColumns)
        .select([
          textWithinLimit<string>('m.content').as('content'),
          objectWithinLimit('m.metadata').as('metadata'),
          textWithinLimit<string | null>('m.eventTrace').as('eventTrace'),
          pageBytes,
        ])
        .orderBy('m.requestedTime', direction)
        .orderBy('m.id', direction)
        .execute(),
    ]);
    assertPageBytes(items);
    return toPage(filter, items, count);
  }
}

/** All but what is weighed first. */
const listedColumns = [
  'm.id',
  'm.tenantId',
  'm.tenantUnitId',
  'm.agentId',
  'm.userId',
  'm.conversationId',
  'm.runId',
  'm.messageFrom',
  'm.requestedTime',
  'm.inputTokens',
  'm.answerTokens',
  'm.totalTokens',
  'm.feedback',
  'm.type',
  'm.userType',
  'm.status',
  'm.createdBy',
  'm.updatedBy',
  'm.createdByRole',
  'm.updatedByRole',
] as const;
