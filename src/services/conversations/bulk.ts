import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import { lockLabels } from '../labels/rows.js';
import { type Actor, authorOf } from '../shared/actor.js';
import { all, filterConditions, type TenantConditions, toConditions } from '../shared/lists/list-filter.js';
import { selectPageKeys } from '../shared/lists/page-keys.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import { type RecordedConversation, recordedColumns } from './audit.js';
import {
  type BulkChange,
  type BulkPosition,
  type BulkStep,
  type ConversationBulk,
  toCursor,
} from './bulk.schema.js';
import { changeLabels, hasTooMany } from './change-labels.js';
import { deleteConversations } from './delete-conversations.js';
import { toListFilter } from './list-filter.js';
import { type Change, recordChanges, recordStatuses } from './record-changes.js';

export interface ConversationBulkDependencies {
  writeTransaction: WriteTransaction;
  clock: () => Date;
}

const ACTION = 'conversations.bulk';

/**
 * Changes the conversations that a filter matches, in steps that the caller asks for one by one: each is one transaction,
 * and its answer says where the next one begins. So nothing of it has to be kept between them.
 */
export function createConversationBulk({ writeTransaction, clock }: ConversationBulkDependencies) {
  /** In the order of creation, up to what was created when the first step began. */
  return async (input: ConversationBulk, actor: Actor): Promise<BulkStep> => {
    const { scope, filter, change, after, limit } = input;
    const now = clock();
    const until = after?.until ?? now.toISOString();
    const conditions = toConditions({
      ...toListFilter({ scope, ...filter }),
      tenantId: scope.tenantId,
      createdBefore: earlier(filter.createdBefore, new Date(Date.parse(until) + 1)),
    });
    return writeTransaction({ scope, actor }, async (tx) => {
      if (change.action === 'setLabels')
        await lockLabels(tx, { tenantId: scope.tenantId, ids: change.add }, ['change', 'add']);
      const keys = await selectKeys(tx, conditions, { after, limit });
      const rows = await lockMatching(tx, conditions, keys);
      const last = keys.length === limit ? keys.at(-1) : undefined;
      return {
        ...(await apply(tx, rows, { change, now, actor })),
        next: last ? toCursor({ until, ...last }) : null,
      };
    });
  };
}

const earlier = (one: Date | undefined, other: Date): Date => (one && one < other ? one : other);

export type Key = Omit<BulkPosition, 'until'>;

/** What the filter matches after a position, with the times as PostgreSQL has them, to the microsecond. */
export async function selectKeys(
  tx: Queryable,
  conditions: TenantConditions,
  { after, limit }: { after: Key | undefined; limit: number },
): Promise<Key[]> {
  const page = selectPageKeys(conditions, { direction: 'asc', after, offset: 0, limit });
  const { rows } = await sql<Key>`
    select to_char(page.created_time at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as time, page.id
    from (${page}) as page order by page.created_time, page.id
  `.execute(tx);
  return rows;
}

/** Locks those of the conversations that still match. */
function lockMatching(
  tx: Queryable,
  conditions: TenantConditions,
  keys: Key[],
): Promise<RecordedConversation[]> {
  const ids = keys.map(({ id }) => id);
  return tx
    .selectFrom('conversations')
    .select(recordedColumns)
    .where('tenantId', '=', conditions.tenantId)
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .where(all(filterConditions(conditions, 'conversations')))
    .orderBy('createdTime')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

interface Work {
  change: BulkChange;
  now: Date;
  actor: Actor;
}

async function apply(
  tx: Queryable,
  rows: RecordedConversation[],
  { change, now, actor }: Work,
): Promise<Omit<BulkStep, 'next'>> {
  const recording = { actor, action: ACTION };
  switch (change.action) {
    case 'setStatus': {
      const { status } = change;
      const different = rows.filter((row) => row.status !== status);
      const changes = await setColumns(tx, different, { status }, { now, actor });
      await recordStatuses(tx, changes, recording);
      return { changed: toChanged(changes), skipped: [] };
    }
    case 'assign': {
      const { assignmentId } = change;
      const different = rows.filter((row) => row.assignmentId !== assignmentId);
      const changes = await setColumns(tx, different, { assignmentId }, { now, actor });
      await recordChanges(tx, changes, recording);
      return { changed: toChanged(changes), skipped: [] };
    }
    case 'setLabels': {
      const skipped = rows.filter((row) => hasTooMany(row, change));
      const others = rows.filter((row) => !skipped.includes(row));
      const changes = await changeLabels(tx, others, change, { now, actor });
      await recordChanges(tx, changes, recording);
      return { changed: toChanged(changes), skipped: skipped.map(({ id }) => id) };
    }
    case 'delete': {
      const held = rows.filter((row) => row.legalHoldTime);
      const others = rows.filter((row) => !row.legalHoldTime);
      await deleteConversations(tx, others, recording);
      const changed = toChanged(others.map((row) => ({ before: row, after: row })));
      return { changed, skipped: held.map(({ id }) => id) };
    }
  }
}

async function setColumns(
  tx: Queryable,
  rows: RecordedConversation[],
  values: Partial<Pick<RecordedConversation, 'status' | 'assignmentId'>>,
  { now, actor }: Omit<Work, 'change'>,
): Promise<Change[]> {
  const [first] = rows;
  if (!first) return [];
  const written = { ...values, updatedTime: now, updatedBy: authorOf(actor) };
  await tx
    .updateTable('conversations')
    .set((eb) => ({ ...written, version: eb('version', '+', 1) }))
    .where('tenantId', '=', first.tenantId)
    .where(isOneOf(rows))
    .execute();
  return rows.map((before) => ({ before, after: { ...before, ...written, version: before.version + 1 } }));
}

const isOneOf = (rows: RecordedConversation[]) => sql<boolean>`id = any(${rows.map(({ id }) => id)}::text[])`;

const toChanged = (changes: Change[]): BulkStep['changed'] =>
  changes.map(({ before: { status, assignmentId, labels }, after: { id: conversationId, version } }) => ({
    conversationId,
    version,
    before: { status, assignmentId, labels },
  }));
