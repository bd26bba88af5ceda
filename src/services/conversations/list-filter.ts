import type { ListFilter } from '../shared/lists/list-filter.js';
import { unitsOf } from '../shared/tenant-scope.js';
import type { ConversationFilter } from './conversations.schema.js';

/** What a list of conversations is filtered by. */
export const toListFilter = ({
  scope,
  agentId,
  assignmentId,
  statuses,
  userId,
  createdFrom,
  createdBefore,
  labels,
  feedback,
}: Omit<ConversationFilter, 'page' | 'pageSize' | 'order'>): ListFilter => ({
  list: 'conversations',
  tenantId: scope.tenantId,
  tenantUnitIds: unitsOf(scope),
  statuses,
  agentId,
  assignmentId,
  userId,
  createdFrom,
  createdBefore,
  labels,
  feedback,
});
