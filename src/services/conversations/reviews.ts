import { sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import type { Database, Queryable } from '../../../db/schema.js';
import { conflict, type InputPath, notFound } from '../../errors/errors.js';
import { type Actor, authorOf } from '../shared/actor.js';
import { countLists } from '../shared/lists/count-lists.js';
import { toConditions } from '../shared/lists/list-filter.js';
import { type Slice, selectPageRows } from '../shared/lists/page-keys.js';
import { assertAtMost, offsetOf, type Page, toPage } from '../shared/pagination.js';
import { unitsOf, withinTenant } from '../shared/tenant-scope.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import { auditConversation, type ConversationRow } from './audit.js';
import {
  type Conversation,
  type ConversationRef,
  MAX_REVIEWS,
  type NewReview,
  type QueuedForReview,
  type Review,
  type ReviewFilter,
  type ReviewQueuePlace,
} from './conversations.schema.js';
import { lockConversation, updateStatus } from './writes.js';

export interface ReviewsDependencies {
  db: Database;
  writeTransaction: WriteTransaction;
  clock: () => Date;
  maxPageSize: number;
  getConversation: (ref: ConversationRef) => Promise<Conversation>;
}

/** Verdicts of people on conversations, and those that wait for one. */
export function createReviews(dependencies: ReviewsDependencies) {
  const { db, writeTransaction, clock, maxPageSize, getConversation } = dependencies;
  return { review, reviews, nextForReview };

  /**
   * Stores a review, and sets the status `reviewed`. There may be several reviews of a conversation.
   *
   * @throws DomainError `conflict` where there are too many
   */
  async function review(input: NewReview, actor: Actor): Promise<Conversation> {
    return writeTransaction({ scope: input.scope, actor }, async (tx) => {
      const { verdict, note } = input;
      const now = clock();
      const before = await lockConversation(tx, input);
      const { tenantId, tenantUnitId, id: conversationId } = before;
      await assertRoomForReviews(tx, before);
      await tx
        .insertInto('conversationReviews')
        .values({
          tenantId,
          tenantUnitId,
          id: uuid(),
          conversationId,
          verdict,
          note,
          reviewedTime: now,
          reviewedBy: authorOf(actor),
        })
        .execute();
      const row = await updateStatus(tx, before, { status: 'reviewed', now }, actor);
      await auditConversation(tx, row, actor, { action: 'conversations.review', after: { verdict } });
      return row;
    });
  }

  /** Latest first. */
  async function reviews(filter: ReviewFilter): Promise<Page<Review>> {
    assertAtMost(maxPageSize, filter.pageSize, 'pageSize');
    const { tenantId } = await getConversation(filter);
    const matching = db
      .selectFrom('conversationReviews')
      .where('tenantId', '=', tenantId)
      .where('conversationId', '=', filter.conversationId)
      .where(withinTenant(filter.scope));
    const [{ count }, items] = await Promise.all([
      matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
      matching
        .select(['id', 'verdict', 'note', 'reviewedTime', 'reviewedBy'])
        .orderBy('reviewedTime', 'desc')
        .orderBy('id', 'desc')
        .limit(filter.pageSize)
        .offset(offsetOf(filter))
        .execute(),
    ]);
    return toPage(filter, items, count);
  }

  /**
   * The oldest conversation that waits for a review, or the next one on a side of another.
   *
   * @throws DomainError `not_found` for that other
   */
  async function nextForReview(place: ReviewQueuePlace): Promise<QueuedForReview> {
    const { scope } = place;
    const filter = {
      list: 'conversations' as const,
      tenantId: scope.tenantId,
      tenantUnitIds: unitsOf(scope),
      statuses: ['review-requested'],
    };
    const slice = await findPlace(place);
    const [{ rows }, [waiting]] = await Promise.all([
      sql<ConversationRow>`${selectPageRows(toConditions(filter), slice)}`.execute(db),
      countLists(db, [filter]),
    ]);
    return { conversation: rows[0] ?? null, waiting: waiting ?? { count: 0, isLowerBound: false } };
  }

  async function findPlace({ scope, after, before }: ReviewQueuePlace): Promise<Slice> {
    const first = { direction: before === undefined ? 'asc' : 'desc', offset: 0, limit: 1 } as const;
    const other = after ?? before;
    if (other === undefined) return first;
    const { time } = await db
      .selectFrom('conversations')
      // As text, which has the microseconds.
      .select(sql<string>`created_time::text`.as('time'))
      .where('id', '=', other)
      .where(withinTenant(scope))
      .executeTakeFirstOrThrow(() => notFound('Conversation', [after === undefined ? 'before' : 'after']));
    return { ...first, after: { time, id: other } };
  }
}

/**
 * Limits the reviews of a locked conversation.
 *
 * @throws DomainError `conflict` where it has no room for more
 */
export async function assertRoomForReviews(
  tx: Queryable,
  { tenantId, id }: Pick<ConversationRow, 'tenantId' | 'id'>,
  { path = ['conversationId'], more = 1 }: { path?: InputPath; more?: number } = {},
): Promise<void> {
  const { count } = await tx
    .selectFrom('conversationReviews')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('tenantId', '=', tenantId)
    .where('conversationId', '=', id)
    .executeTakeFirstOrThrow();
  if (count + more > MAX_REVIEWS) throw conflict(`A conversation has at most ${MAX_REVIEWS} reviews.`, path);
}
