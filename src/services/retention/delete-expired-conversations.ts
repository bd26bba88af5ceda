import { sql } from 'kysely';
import type { Prune } from '../../../db/prune.js';
import type { Database, Queryable } from '../../../db/schema.js';
import { tenantTransaction } from '../../../db/tenant-isolation/tenant-transaction.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { recordedColumns } from '../conversations/audit.js';
import { type Key, selectKeys } from '../conversations/bulk.js';
import { deleteConversations } from '../conversations/delete-conversations.js';
import { all, filterConditions } from '../shared/lists/list-filter.js';
import { isExpired, toOldConversations } from './expired-conversations.js';

/** Conversations of a step. */
const BATCH = 200;

/**
 * Deletes the conversations that retention rules match, rule by rule, and yields how many each step has deleted. Several
 * processes may be at it: each leaves out what another has locked.
 */
export async function* deleteExpiredConversations(database: Database, clock: () => Date): Prune {
  const rules = await unscoped(database, 'Retention rules of all tenants delete conversations.')
    .selectFrom('retentionRules')
    .select(['tenantId', 'id'])
    // A sweep has a limited time: the next one begins with others.
    .orderBy(sql`random()`)
    .execute();
  for (const { tenantId, id } of rules) {
    let after: Key | undefined;
    do {
      const step = { tenantId, id, after, now: clock() };
      const { deleted, next } = await tenantTransaction(database, tenantId, (tx) => deleteSome(tx, step));
      yield deleted;
      after = next;
    } while (after);
  }
}

interface Step {
  tenantId: string;
  /** Of the rule. */
  id: string;
  after: Key | undefined;
  now: Date;
}

async function deleteSome(
  tx: Queryable,
  { tenantId, id, after, now }: Step,
): Promise<{ deleted: number; next?: Key | undefined }> {
  // Read for each step, and locked: a rule that is changed or deleted deletes nothing any more.
  const rule = await tx
    .selectFrom('retentionRules')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  if (!rule) return { deleted: 0 };
  const old = toOldConversations(rule, now);
  const keys = await selectKeys(tx, old, { after, limit: BATCH });
  const rows = await tx
    .selectFrom('conversations')
    .select(recordedColumns)
    .where('tenantId', '=', tenantId)
    .where(sql<boolean>`id = any(${keys.map((key) => key.id)}::text[])`)
    .where(all(filterConditions(old, 'conversations')))
    .where(isExpired(rule, now))
    .forNoKeyUpdate()
    .skipLocked()
    .execute();
  // The audit log would keep the topic.
  const unnamed = rows.map((row) => ({ ...row, topic: null }));
  await deleteConversations(tx, unnamed, { actor: { userId: undefined }, action: 'retention.expire' });
  return { deleted: rows.length, next: keys.length === BATCH ? keys.at(-1) : undefined };
}
