import type { Database } from '../../../db/schema.js';
import { assertAtMost, offsetOf, type Page, toPage } from '../shared/pagination.js';
import { withinTenant } from '../shared/tenant-scope.js';
import type {
  Conversation,
  ConversationRef,
  StatusChange,
  StatusHistoryFilter,
} from './conversations.schema.js';

export interface StatusHistoryDependencies {
  db: Database;
  maxPageSize: number;
  getConversation: (ref: ConversationRef) => Promise<Conversation>;
}

/** Which status a conversation had when, and who changed it. */
export function createStatusHistory({ db, maxPageSize, getConversation }: StatusHistoryDependencies) {
  /** Latest first. */
  return async (filter: StatusHistoryFilter): Promise<Page<StatusChange>> => {
    assertAtMost(maxPageSize, filter.pageSize, 'pageSize');
    const { tenantId } = await getConversation(filter);
    const matching = db
      .selectFrom('conversationStatusChanges')
      .where('tenantId', '=', tenantId)
      .where('conversationId', '=', filter.conversationId)
      .where(withinTenant(filter.scope));
    const [{ count }, items] = await Promise.all([
      matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
      matching
        .select(['fromStatus', 'toStatus', 'changedTime', 'changedBy'])
        .orderBy('id', 'desc')
        .limit(filter.pageSize)
        .offset(offsetOf(filter))
        .execute(),
    ]);
    return toPage(filter, items, count);
  };
}
