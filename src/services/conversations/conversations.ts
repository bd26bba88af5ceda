import { v7 as uuid } from 'uuid';
import { compileOnce } from '../../../db/compile-once.js';
import type { Database, Queryable } from '../../../db/schema.js';
import { conversationListChanges } from '../../derived-data/list-changes.js';
import { writeCounts } from '../../derived-data/write-counts.js';
import { notFound } from '../../errors/errors.js';
import { type Actor, authorOf } from '../shared/actor.js';
import { assertExpectedVersion } from '../shared/expected-version.js';
import type { ListFilter } from '../shared/lists/list-filter.js';
import { createListReader } from '../shared/lists/read-list.js';
import { assertPageBytes, measureRowBytes, objectWithinLimit, pageBytes } from '../shared/page-bytes.js';
import { assertAtMost, type Page, toPage } from '../shared/pagination.js';
import {
  dbForScope,
  resolveTenant,
  type TenantUnitRef,
  unitsOf,
  withinTenant,
} from '../shared/tenant-scope.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import {
  auditConversation,
  auditedChanges,
  auditedFields,
  type ConversationRow,
  emitConversationEvent,
  insertStatusChange,
} from './audit.js';
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
import { createConversationFacets } from './facets.js';
import { createStatusHistory } from './status-history.js';

const ANONYMOUS = 'anonymous';

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
  const selectConversation = compileOnce(db, ({ scope, conversationId }: ConversationRef) =>
    dbForScope(db, scope)
      .selectFrom('conversations')
      .selectAll()
      .where('id', '=', conversationId)
      .where(withinTenant(scope))
      .orderBy('tenantId')
      .limit(1),
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
  return { list, get, create, update, setStatus, remove, facets, statusHistory };

  async function list(filter: ConversationFilter): Promise<Page<ConversationListItem>> {
    assertAtMost(maxPageSize, filter.pageSize, 'pageSize');
    const { rows, total } = await readList({ ...filter, filter: toListFilter(filter) });
    assertPageBytes(rows);
    return toPage(filter, rows, total);
  }

  async function get(ref: ConversationRef): Promise<Conversation> {
    const [row] = await selectConversation(ref);
    if (!row) throw conversationNotFound();
    return row;
  }

  async function create(input: NewConversation, actor: Actor): Promise<Conversation> {
    const now = clock();
    const place = {
      tenantId: input.scope.tenantId ?? defaultTenantUnit.tenantId,
      tenantUnitId: input.scope.tenantUnitId ?? defaultTenantUnit.tenantUnitId,
    };
    return writeTransaction({ scope: place, actor }, async (tx) => {
      const row = await tx
        .insertInto('conversations')
        .values({
          ...place,
          id: uuid(),
          topic: input.topic,
          status: input.status,
          agentId: input.agentId,
          agentMode: 'chat', // Unspecified: the create request has no field for it.
          userId: actor.userId ?? ANONYMOUS,
          inputs: input.inputs && JSON.stringify(input.inputs),
          assignmentId: input.assignmentId,
          createdTime: now,
          updatedTime: now,
          createdBy: authorOf(actor),
          updatedBy: authorOf(actor),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await writeCounts(tx, { lists: conversationListChanges({ after: [row] }) });
      await insertStatusChange(tx, row, null, actor);
      await auditConversation(tx, row, actor, { action: 'conversations.create', after: auditedFields(row) });
      await emitConversationEvent(tx, row, { type: 'conversation.created', data: { status: row.status } });
      return row;
    });
  }

  async function update(input: ConversationChanges, actor: Actor): Promise<Conversation> {
    const { topic } = input;
    return writeTransaction({ scope: input.scope, actor }, async (tx) => {
      const before = await lock(tx, input);
      if (topic === undefined) return before;
      const row = await change(tx, before, { topic }, actor);
      await auditConversation(tx, row, actor, {
        action: 'conversations.update',
        ...auditedChanges(before, row),
      });
      return row;
    });
  }

  async function setStatus(input: ConversationStatusChange, actor: Actor): Promise<Conversation> {
    return writeTransaction({ scope: input.scope, actor }, async (tx) => {
      const before = await lock(tx, input);
      const row = await change(tx, before, { status: input.status }, actor);
      await auditConversation(tx, row, actor, {
        action: 'conversations.setStatus',
        ...auditedChanges(before, row),
      });
      if (before.status === row.status) return row;
      await writeCounts(tx, { lists: conversationListChanges({ before: [before], after: [row] }) });
      await insertStatusChange(tx, row, before.status, actor);
      const data = { from: before.status, status: row.status };
      await emitConversationEvent(tx, row, { type: 'conversation.status_changed', data });
      return row;
    });
  }

  /** Deletes a conversation, its messages and its history. */
  async function remove(input: ConversationRemoval, actor: Actor): Promise<void> {
    await writeTransaction({ scope: input.scope, actor }, async (tx) => {
      const row = await lock(tx, input);
      await tx
        .deleteFrom('conversations')
        .where('tenantId', '=', row.tenantId)
        .where('id', '=', row.id)
        .execute();
      await writeCounts(tx, { lists: conversationListChanges({ before: [row] }) });
      await auditConversation(tx, row, actor, { action: 'conversations.delete', before: auditedFields(row) });
      await emitConversationEvent(tx, row, { type: 'conversation.deleted', data: { status: row.status } });
    });
  }

  /** Selects a conversation for update, at the expected version. Messages can be added to it meanwhile. */
  async function lock(tx: Queryable, { scope, conversationId, expectedVersion }: ConversationRemoval) {
    const located = await resolveTenant(tx, 'conversations', { scope, id: conversationId });
    if (!located) throw conversationNotFound();
    const row = await tx
      .selectFrom('conversations')
      .selectAll()
      .where('id', '=', conversationId)
      .where(withinTenant(located))
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow(conversationNotFound);
    assertExpectedVersion(row.version, expectedVersion);
    return row;
  }

  function change(
    tx: Queryable,
    { tenantId, id }: ConversationRow,
    values: Partial<ConversationRow>,
    actor: Actor,
  ): Promise<ConversationRow> {
    return tx
      .updateTable('conversations')
      .set((eb) => ({
        topic: values.topic,
        status: values.status,
        version: eb('version', '+', 1),
        updatedTime: clock(),
        updatedBy: authorOf(actor),
      }))
      .where('tenantId', '=', tenantId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }
}

const toListFilter = ({ scope, agentId, assignmentId, statuses }: ConversationFilter): ListFilter => ({
  list: 'conversations',
  tenantId: scope.tenantId,
  tenantUnitIds: unitsOf(scope),
  statuses,
  agentId,
  assignmentId,
});

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
] as const;

const conversationNotFound = () => notFound('Conversation', ['conversationId']);
