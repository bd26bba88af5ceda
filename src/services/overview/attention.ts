import type { Database } from '../../../db/schema.js';
import type { KeyAccess, Permission } from '../../auth/permissions.js';
import { isCancelledStatement, isOutage } from '../../errors/errors.js';
import type { ReadBacklogs } from '../../metrics/read-backlogs.js';
import type { SearchOperations } from '../../search/operations/search-operations.js';
import type { ApiKeys } from '../api-keys/api-keys.js';
import { countLists, countUpTo } from '../shared/lists/count-lists.js';
import { type TenantScope, unitsOf } from '../shared/tenant-scope.js';
import type { Webhooks } from '../webhooks/webhooks.js';
import type { Attention, OverviewRequest } from './overview.schema.js';
import { readSearchBacklog } from './search-backlog.js';
import { countFailures, documentsOf, type OverviewScope } from './status-counts.js';

/** Most documents that are counted. */
const MAX_COUNTED = 10_000;
/** A day more than a week, as most backups are made daily or weekly. */
const BACKUP_OVERDUE_MS = 8 * 86_400_000;

export interface AttentionDependencies {
  db: Database;
  clock: () => Date;
  apiKeys: Pick<ApiKeys, 'list'>;
  webhooks: Pick<Webhooks, 'list'>;
  operations: Pick<SearchOperations, 'indexStatus'>;
  readBacklogs: ReadBacklogs;
}

/** What somebody should look at, as far as the key may see it. */
export async function readAttention(
  { db, clock, apiKeys, webhooks, operations, readBacklogs }: AttentionDependencies,
  { scope }: OverviewRequest,
  access?: KeyAccess,
): Promise<Attention> {
  const may = (permission: Permission) => !access || access.permissions.includes(permission);
  const reach = reachOf(scope.tenantId, access);
  // Events are not filtered by dataset, so webhooks are not for keys of some datasets.
  const mayManage = may('keys:admin') && reach.datasetIds === undefined;
  return {
    documents: may('documents:read') ? await readDocuments(db, scope) : null,
    conversations: may('conversations:read') ? await readConversations(db, scope) : null,
    webhooks: mayManage ? await readWebhooks(webhooks, reach) : null,
    apiKeys: mayManage ? await readApiKeys(apiKeys, reach) : null,
    search: may('operations') ? await orNull(readSearchBacklog(operations, readBacklogs)) : null,
    backup: may('operations') ? await readBackup(db, clock()) : null,
  };
}

/** What is known of a server in trouble is shown, although the rest takes too long. */
const orNull = <T>(reading: Promise<T>): Promise<T | null> =>
  reading.catch((error) => {
    if (isOutage(error) || isCancelledStatement(error)) return null;
    throw error;
  });

/** All that the key reaches of the tenant, whatever units are asked for. */
const reachOf = (tenantId: string, access: KeyAccess | undefined): OverviewScope => ({
  tenantId,
  ...(access?.tenantUnitIds && { tenantUnitId: [...access.tenantUnitIds] }),
  ...(access?.datasetIds && { datasetIds: access.datasetIds }),
});

async function readDocuments(db: Database, scope: OverviewScope): Promise<Attention['documents']> {
  const failures = await countFailures(db, scope, MAX_COUNTED);
  const counted = failures.reduce((sum, { count }) => sum + count, 0);
  return {
    failed: counted < MAX_COUNTED ? { count: counted, isLowerBound: false } : await countFailed(db, scope),
    failures,
    withWarnings: await countUpTo(db, { ...documentsOf(scope), hasWarnings: true }, MAX_COUNTED),
  };
}

/** Until there is a counter, all that is known is that there are as many as were looked at. */
async function countFailed(db: Database, scope: OverviewScope) {
  const [failed] = await countLists(db, [{ ...documentsOf(scope), statuses: ['failed'] }]);
  return failed && !failed.isLowerBound ? failed : { count: MAX_COUNTED, isLowerBound: true };
}

async function readConversations(db: Database, scope: OverviewScope): Promise<Attention['conversations']> {
  const filter = { list: 'conversations', tenantId: scope.tenantId, tenantUnitIds: unitsOf(scope) } as const;
  const [inputRequired = NONE, reviewRequested = NONE] = await countLists(db, [
    { ...filter, statuses: ['input-required'] },
    { ...filter, statuses: ['review-requested'] },
  ]);
  return { inputRequired, reviewRequested };
}

/** A tenant has few. */
async function readWebhooks(webhooks: AttentionDependencies['webhooks'], scope: OverviewScope) {
  const enabled = (await webhooks.list({ scope })).filter((webhook) => webhook.enabled);
  return {
    paused: enabled.filter(({ pausedTime }) => pausedTime !== null).length,
    failing: enabled.filter(({ pausedTime, failures }) => pausedTime === null && failures > 0).length,
  };
}

async function readApiKeys(apiKeys: AttentionDependencies['apiKeys'], scope: TenantScope) {
  const count = async (expiry: 'soon' | 'past') =>
    (await apiKeys.list({ scope, expiry, page: 1, pageSize: 1 })).totalCount;
  return { expiring: await count('soon'), expired: await count('past') };
}

async function readBackup(db: Database, now: Date): Promise<Attention['backup']> {
  const last = await db.selectFrom('lastBackup').select('time').executeTakeFirst();
  return last
    ? { lastTime: last.time, isOverdue: now.getTime() - last.time.getTime() > BACKUP_OVERDUE_MS }
    : null;
}

const NONE = { count: 0, isLowerBound: false };
