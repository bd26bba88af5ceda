import { compileOnce } from '../../../db/compile-once.js';
import type { Database } from '../../../db/schema.js';
import { conflict } from '../../errors/errors.js';
import type { Actor } from '../shared/actor.js';
import { createListReader } from '../shared/lists/read-list.js';
import { assertPageBytes, measureRowBytes, objectWithinLimit, pageBytes } from '../shared/page-bytes.js';
import { assertAtMost, type Page, toPage } from '../shared/pagination.js';
import { dbForScope, type TenantUnitRef, withinTenant } from '../shared/tenant-scope.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import type { ConversationRow } from './audit.js';
import { createConversationBulk } from './bulk.js';
import { createLabelsChange } from './change-labels.js';
import type {
  Conversation,
  ConversationChanges,
  ConversationFilter,
  ConversationListItem,
  ConversationRef,
  ConversationRemoval,
  ConversationStatusChange,
  NewConversation,
} from './conversations.schema.js';
import { deleteConversations } from './delete-conversations.js';
import { createConversationFacets } from './facets.js';
import { createLegalHolds } from './legal-hold.js';
import { toListFilter } from './list-filter.js';
import { recordChanges } from './record-changes.js';
import { createReviews } from './reviews.js';
import { createStatusHistory } from './status-history.js';
import {
  conversationNotFound,
  insertConversation,
  lockConversation,
  updateConversation,
  updateStatus,
} from './writes.js';

export interface ConversationsDependencies {
  db: Database;
  writeTransaction: WriteTransaction;
  clock: () => Date;
  /** Default tenant and unit of new conversations. */
  defaultTenantUnit: TenantUnitRef;
  maxPageSize: number;
}

export type Conversations = ReturnType<typeof createConversations>;

/** Conversations between users and agents. Every function is restricted to the given tenant scope. */
export function createConversations({
  db,
  writeTransaction,
  clock,
  defaultTenantUnit,
  maxPageSize,
}: ConversationsDependencies) {
  const selectConversation = compileOnce(({ scope, conversationId }: ConversationRef) =>
    dbForScope(db, scope)
      .selectFrom('conversations')
      .selectAll()
      .where('id', '=', conversationId)
      .where(withinTenant(scope))
      .orderBy('tenantId')
      .limit(1)
      .compile(),
  );
  const readList = createListReader(db, 'conversations', ({ tenantId, direction, page, total }) =>
    db
      .with(
        (cte) => cte('c').materialized(),
        () => page.$castTo<ConversationRow>(),
      )
      .with(
        (cte) => cte('listed').materialized(),
        () => total,
      )
      .selectFrom('c')
      .innerJoin('listed', (join) => join.onTrue())
      .innerJoinLateral(measureRowBytes('c.inputs'), (join) => join.onTrue())
      .where('c.tenantId', '=', tenantId)
      .select(listedColumns)
      .select([objectWithinLimit('c.inputs').as('inputs'), pageBytes])
      .select(['listed.totalCount', 'listed.counterState'])
      .select((eb) =>
        eb
          .selectFrom('messages as m')
          .where('m.tenantId', '=', tenantId)
          .whereRef('m.conversationId', '=', 'c.id')
          .select((inner) => inner.fn.countAll<number>().as('count'))
          .$asScalar()
          .$notNull()
          .as('messageCount'),
      )
      .orderBy('c.createdTime', direction)
      .orderBy('c.id', direction),
  );
  const facets = createConversationFacets({ db });
  const statusHistory = createStatusHistory({ db, maxPageSize, getConversation: get });
  const reviewing = createReviews({ db, writeTransaction, clock, maxPageSize, getConversation: get });
  const setLabels = createLabelsChange({ writeTransaction, clock });
  const setLegalHold = createLegalHolds({ writeTransaction, clock });
  const bulk = createConversationBulk({ writeTransaction, clock });
  return {
    list,
    get,
    create,
    update,
    setStatus,
    setLabels,
    setLegalHold,
    bulk,
    remove,
    facets,
    statusHistory,
    ...reviewing,
  };

  async function list(filter: ConversationFilter): Promise<Page<ConversationListItem>> {
    assertAtMost(maxPageSize, filter.pageSize, 'pageSize');
    const { rows, total } = await readList({ ...filter, filter: toListFilter(filter) });
    assertPageBytes(rows);
    return toPage(filter, rows, total);
  }

  async function get(ref: ConversationRef): Promise<Conversation> {
    const [row] = await selectConversation(ref, db);
    if (!row) throw conversationNotFound();
    return row;
  }

  async function create({ scope, ...input }: NewConversation, actor: Actor): Promise<Conversation> {
    const place = {
      tenantId: scope.tenantId ?? defaultTenantUnit.tenantId,
      tenantUnitId: scope.tenantUnitId ?? defaultTenantUnit.tenantUnitId,
    };
    return writeTransaction({ scope: place, actor }, async (tx) => {
      const row = await insertConversation(tx, { ...input, place, now: clock() }, actor);
      if (!row) throw new Error('a new id is taken');
      return row;
    });
  }

  async function update(input: ConversationChanges, actor: Actor): Promise<Conversation> {
    const { topic, assignmentId } = input;
    return writeTransaction({ scope: input.scope, actor }, async (tx) => {
      const before = await lockConversation(tx, input);
      if (topic === undefined && assignmentId === undefined) return before;
      const values = { topic, assignmentId };
      const row = await updateConversation(tx, before, { values, now: clock() }, actor);
      await recordChanges(tx, [{ before, after: row }], { actor, action: 'conversations.update' });
      return row;
    });
  }

  async function setStatus(input: ConversationStatusChange, actor: Actor): Promise<Conversation> {
    return writeTransaction({ scope: input.scope, actor }, async (tx) => {
      const before = await lockConversation(tx, input);
      return updateStatus(tx, before, { status: input.status, now: clock() }, actor);
    });
  }

  /**
   * Deletes a conversation, its messages, its history and its reviews.
   *
   * @throws DomainError `conflict` under a legal hold
   */
  async function remove(input: ConversationRemoval, actor: Actor): Promise<void> {
    await writeTransaction({ scope: input.scope, actor }, async (tx) => {
      const row = await lockConversation(tx, input);
      if (row.legalHoldTime) throw conflict(HELD, []);
      await deleteConversations(tx, [row], { actor, action: 'conversations.delete' });
    });
  }
}

const HELD = 'The conversation is under a legal hold, which has to be lifted before it can be deleted.';

/** All columns except those with a size limit. */
const listedColumns = [
  'c.id',
  'c.tenantId',
  'c.tenantUnitId',
  'c.topic',
  'c.agentId',
  'c.userId',
  'c.agentMode',
  'c.agentType',
  'c.extendProperties',
  'c.invokeFrom',
  'c.status',
  'c.assignmentId',
  'c.createdTime',
  'c.updatedTime',
  'c.createdBy',
  'c.updatedBy',
  'c.createdByRole',
  'c.updatedByRole',
  'c.createdByName',
  'c.updatedByName',
  'c.version',
  'c.labels',
  'c.legalHoldTime',
  'c.legalHoldBy',
] as const;
