import { type Selectable, type SqlBool, sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import type { ConversationTable, Database, Queryable } from '../../db/schema.js';
import { notFound } from '../errors.js';
import type { Actor } from './actor.js';
import type {
  Conversation,
  ConversationChanges,
  ConversationFilter,
  ConversationListItem,
  ConversationRef,
  ConversationStatusChange,
  NewConversation,
} from './conversations.schema.js';
import { assertWithin, offsetOf, type Page, toPage } from './paging.js';
import { inScope, type Placement } from './scope.js';

const ANONYMOUS = 'anonymous';

export interface ConversationsDependencies {
  db: Database;
  clock: () => Date;
  /** Where a conversation goes when its creator names no tenant or unit. */
  defaultScope: Placement;
  maxPageSize: number;
}

export type Conversations = ReturnType<typeof createConversations>;

/** Conversations between users and agents. Every function answers only for what lies in the given scope. */
export function createConversations({ db, clock, defaultScope, maxPageSize }: ConversationsDependencies) {
  return { list, get, create, update, setStatus, remove };

  async function list(filter: ConversationFilter): Promise<Page<ConversationListItem>> {
    assertWithin(maxPageSize, filter.pageSize, 'pageSize');
    const direction = filter.order === 'recent' ? 'desc' : 'asc';
    const matching = db
      .selectFrom('conversations')
      .where(inScope(filter.scope))
      .$if(filter.assignmentId !== undefined, (q) =>
        q.where('assignmentId', '=', filter.assignmentId as string),
      )
      .$if(filter.agentId !== undefined, (q) => q.where('agentId', '=', filter.agentId as string))
      // Unlike `in ()`, an empty array is valid SQL: it matches nothing.
      .$if(filter.statuses !== undefined, (q) => q.where(sql<SqlBool>`status = any(${filter.statuses})`));

    const [{ count }, rows] = await Promise.all([
      matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
      // The page's ids are found in an index alone; only then are whole rows read.
      db
        .with('page', () =>
          matching
            .select('id')
            .orderBy('createdTime', direction)
            .orderBy('id', direction)
            .limit(filter.pageSize)
            .offset(offsetOf(filter)),
        )
        .selectFrom('conversations as c')
        .innerJoin('page', 'page.id', 'c.id')
        .selectAll('c')
        .select((eb) =>
          eb
            .selectFrom('messages as m')
            .whereRef('m.conversationId', '=', 'c.id')
            .select((inner) => inner.fn.countAll<number>().as('count'))
            .as('messageCount'),
        )
        .orderBy('c.createdTime', direction)
        .orderBy('c.id', direction)
        .execute(),
    ]);
    const items = rows.map((row) => ({ ...row, messageCount: row.messageCount ?? 0 }));
    return toPage(filter, items, count);
  }

  async function get({ scope, conversationId }: ConversationRef): Promise<Conversation> {
    return db
      .selectFrom('conversations')
      .selectAll()
      .where('id', '=', conversationId)
      .where(inScope(scope))
      .executeTakeFirstOrThrow(missing);
  }

  async function create(input: NewConversation, actor: Actor): Promise<Conversation> {
    const now = clock();
    const place = { ...defaultScope, ...input.scope };
    return db.transaction().execute(async (tx) => {
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
          createdBy: actor.userId,
          updatedBy: actor.userId,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await recordStatus(tx, row, null, actor);
      return row;
    });
  }

  async function update(input: ConversationChanges, actor: Actor): Promise<Conversation> {
    if (input.topic === undefined) return get(input);
    return db
      .updateTable('conversations')
      .set({ topic: input.topic, updatedTime: clock(), updatedBy: actor.userId ?? null })
      .where('id', '=', input.conversationId)
      .where(inScope(input.scope))
      .returningAll()
      .executeTakeFirstOrThrow(missing);
  }

  async function setStatus(input: ConversationStatusChange, actor: Actor): Promise<Conversation> {
    return db.transaction().execute(async (tx) => {
      const before = await tx
        .selectFrom('conversations')
        .select('status')
        .where('id', '=', input.conversationId)
        .where(inScope(input.scope))
        .forUpdate()
        .executeTakeFirstOrThrow(missing);
      const row = await tx
        .updateTable('conversations')
        .set({ status: input.status, updatedTime: clock(), updatedBy: actor.userId ?? null })
        .where('id', '=', input.conversationId)
        .where(inScope(input.scope))
        .returningAll()
        .executeTakeFirstOrThrow();
      if (before.status !== row.status) await recordStatus(tx, row, before.status, actor);
      return row;
    });
  }

  /** Deletes a conversation, its messages and its history. */
  async function remove({ scope, conversationId }: ConversationRef): Promise<void> {
    const { numDeletedRows } = await db
      .deleteFrom('conversations')
      .where('id', '=', conversationId)
      .where(inScope(scope))
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw missing();
  }
}

async function recordStatus(
  tx: Queryable,
  row: Selectable<ConversationTable>,
  fromStatus: string | null,
  actor: Actor,
): Promise<void> {
  await tx
    .insertInto('conversationStatusChanges')
    .values({
      tenantId: row.tenantId,
      tenantUnitId: row.tenantUnitId,
      conversationId: row.id,
      fromStatus,
      toStatus: row.status,
      changedTime: row.updatedTime,
      changedBy: actor.userId ?? null,
    })
    .execute();
}

const missing = () => notFound('Conversation', ['conversationId']);
