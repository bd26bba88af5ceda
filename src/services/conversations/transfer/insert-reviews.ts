import { sql } from 'kysely';
import { insertBatches } from '../../../../db/insert-batches.js';
import type { Queryable } from '../../../../db/schema.js';
import { conflict } from '../../../errors/errors.js';
import { auditWrites } from '../../audit/audit.js';
import type { Actor } from '../../shared/actor.js';
import { assertRoomForReviews } from '../reviews.js';
import type { ConversationsToImport } from './transfer.schema.js';

/**
 * Inserts the reviews that the tenant does not have, of conversations that are locked; audited with their verdicts.
 *
 * @throws DomainError `conflict` if another review of the tenant has one of the ids, or a conversation would have too many
 */
export async function insertReviews(
  tx: Queryable,
  tenantId: string,
  conversations: ConversationsToImport['conversations'],
  actor: Actor,
): Promise<void> {
  const all = conversations.flatMap(({ id: conversationId, tenantUnitId, reviews }) =>
    reviews.map(({ reviewedTime, ...review }) => ({
      ...review,
      tenantId,
      tenantUnitId,
      conversationId,
      reviewedTime: sql<Date>`${reviewedTime}::timestamptz`,
    })),
  );
  const inserted = new Map<string, string[]>();
  let count = 0;
  for (const batch of insertBatches(all)) {
    const rows = await tx
      .insertInto('conversationReviews')
      .values(batch)
      .onConflict((taken) => taken.columns(['tenantId', 'id']).doNothing())
      .returning(['conversationId', 'verdict'])
      .execute();
    count += rows.length;
    for (const { conversationId, verdict } of rows)
      inserted.set(conversationId, [...(inserted.get(conversationId) ?? []), verdict]);
  }
  for (const [place, { id, reviews }] of conversations.entries()) {
    const path = ['conversations', place, 'reviews'];
    if (reviews.length > 0 && count < all.length) await assertSame(tx, tenantId, { id, reviews, path });
    if (inserted.has(id)) await assertRoomForReviews(tx, { tenantId, id }, { path, more: 0 });
  }
  await auditWrites(
    tx,
    tenantId,
    actor,
    conversations.flatMap(({ id, tenantUnitId }) => {
      const verdicts = inserted.get(id);
      // One that is there twice is audited once.
      if (!verdicts || !inserted.delete(id)) return [];
      const subject = { type: 'conversation' as const, id };
      return [{ action: 'conversations.import', subject, tenantUnitId, after: { verdicts } }];
    }),
  );
}

interface Reviews {
  id: string;
  reviews: { id: string; verdict: string }[];
  path: (string | number)[];
}

async function assertSame(tx: Queryable, tenantId: string, { id, reviews, path }: Reviews): Promise<void> {
  const stored = await tx
    .selectFrom('conversationReviews')
    .select(['id', 'verdict'])
    .where('tenantId', '=', tenantId)
    .where('conversationId', '=', id)
    .execute();
  const verdicts = new Map(stored.map((row): [string, string] => [row.id, row.verdict]));
  const other = reviews.findIndex((review) => verdicts.get(review.id) !== review.verdict);
  if (other !== -1) throw conflict(OTHER_REVIEW, [...path, other, 'id']);
}

const OTHER_REVIEW = 'Another review of this tenant has this id.';
