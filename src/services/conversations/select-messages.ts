import type { SelectQueryBuilder } from 'kysely';
import type { Database, Schema } from '../../../db/schema.js';
import { measureRowBytes, objectWithinLimit, pageBytes, textWithinLimit } from '../shared/page-bytes.js';

/**
 * Selects messages of a tenant with their sizes; the caller orders them and asserts that they fit an answer.
 *
 * @param page selects their ids
 */
export const selectMessages = (
  db: Database,
  tenantId: string,
  page: () => SelectQueryBuilder<Schema, 'messages', { id: string }>,
) =>
  db
    .with('page', page)
    .selectFrom('messages as m')
    .innerJoin('page', 'page.id', 'm.id')
    .innerJoinLateral(measureRowBytes('m.metadata', ['m.content', 'm.eventTrace']), (join) => join.onTrue())
    .where('m.tenantId', '=', tenantId)
    .select(listedColumns)
    .select([
      textWithinLimit<string>('m.content').as('content'),
      objectWithinLimit('m.metadata').as('metadata'),
      textWithinLimit<string | null>('m.eventTrace').as('eventTrace'),
      pageBytes,
    ]);

/** All but what is weighed first. */
const listedColumns = [
  'm.id',
  'm.tenantId',
  'm.tenantUnitId',
  'm.agentId',
  'm.userId',
  'm.conversationId',
  'm.runId',
  'm.messageFrom',
  'm.requestedTime',
  'm.inputTokens',
  'm.answerTokens',
  'm.totalTokens',
  'm.feedback',
  'm.feedbackNote',
  'm.feedbackBy',
  'm.feedbackTime',
  'm.type',
  'm.userType',
  'm.status',
  'm.createdBy',
  'm.updatedBy',
  'm.createdByRole',
  'm.updatedByRole',
] as const;
