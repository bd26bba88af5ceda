import { v7 as uuid } from 'uuid';
import type { Queryable } from '../../../db/schema.js';
import { conflict, notFound } from '../../errors/errors.js';
import { auditWrites } from '../audit/audit.js';
import type { Actor } from '../shared/actor.js';
import { type TenantUnitRef, tenantColumns } from '../shared/tenant-scope.js';
import {
  type JudgedQuestion,
  MAX_COLLECTIONS,
  MAX_QUESTIONS,
  type Question,
  type QuestionRef,
  type QuestionSource,
} from './evaluations.schema.js';
import { readExpected } from './expected-chunks.js';
import {
  auditedQuestion,
  hasQuestions,
  lockCollections,
  type QuestionRow,
  questionNotFound,
  toQuestions,
  withinReach,
} from './rows.js';

interface Storing {
  action: string;
  now: Date;
  /** Of a new question. */
  source?: QuestionSource;
}

/** Adds a question, or replaces one, within the limits of its collection. */
export async function storeQuestion(
  tx: Queryable,
  input: JudgedQuestion,
  { action, now, source }: Storing,
  actor: Actor,
): Promise<Question> {
  const { scope, questionId, collection, query, language, datasetIds } = input;
  await lockCollections(tx, scope);
  const before = questionId === undefined ? undefined : await lockQuestion(tx, { scope, questionId });
  const expected = [...new Map(input.expected.map((one) => [one.chunkId, one])).values()];
  await assertThere(tx, scope, { datasetIds, expected: input.expected });
  const row = {
    collection,
    query,
    language,
    datasetIds,
    expected: JSON.stringify(expected),
    updatedTime: now,
  };
  const saved = before
    ? await tx
        .updateTable('evaluationQuestions')
        .set(row)
        .where('tenantId', '=', scope.tenantId)
        .where('id', '=', before.id)
        .returningAll()
        .executeTakeFirstOrThrow()
    : await tx
        .insertInto('evaluationQuestions')
        .values({
          ...tenantColumns(scope),
          id: uuid(),
          ...row,
          createdTime: now,
          ...(source && {
            sourceConversationId: source.conversationId,
            sourceMessageId: source.messageId,
          }),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
  await assertRoom(tx, scope, collection);
  if (before) await deleteRunsOfEmpty(tx, scope, before.collection);
  await auditQuestion(tx, actor, action, before, saved);
  const [question] = await toQuestions(tx, scope, [saved]);
  return question as Question;
}

/** Selects a question for update. */
export const lockQuestion = (tx: Queryable, { scope, questionId }: QuestionRef): Promise<QuestionRow> =>
  tx
    .selectFrom('evaluationQuestions')
    .selectAll()
    .where(withinReach(scope))
    .where('id', '=', questionId)
    .forUpdate()
    .executeTakeFirstOrThrow(questionNotFound);

async function assertThere(
  tx: Queryable,
  scope: TenantUnitRef,
  question: Pick<JudgedQuestion, 'datasetIds' | 'expected'>,
): Promise<void> {
  const [states = []] = await readExpected(tx, scope, [question]);
  const place = states.findIndex(({ state }) => state === 'gone');
  if (place >= 0) throw notFound('Chunk', ['expected', place, 'chunkId']);
}

/** @throws DomainError `conflict` where there are too many questions in the collection, or collections in the unit */
async function assertRoom(tx: Queryable, scope: TenantUnitRef, collection: string): Promise<void> {
  const { questions, collections } = await tx
    .selectFrom('evaluationQuestions')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('collection', '=', collection).as('questions'),
      eb.fn.count<number>('collection').distinct().as('collections'),
    ])
    .where('tenantId', '=', scope.tenantId)
    .where('tenantUnitId', '=', scope.tenantUnitId)
    .executeTakeFirstOrThrow();
  if (questions > MAX_QUESTIONS)
    throw conflict(`A collection has at most ${MAX_QUESTIONS} questions; remove one first.`, ['collection']);
  if (collections > MAX_COLLECTIONS)
    throw conflict(`A unit has at most ${MAX_COLLECTIONS} collections; use one of them.`, ['collection']);
}

/** Deletes the runs of a collection that has no question any more. */
export async function deleteRunsOfEmpty(
  tx: Queryable,
  scope: TenantUnitRef,
  collection: string,
): Promise<void> {
  if (await hasQuestions(tx, scope, collection)) return;
  await tx
    .deleteFrom('evaluationRuns')
    .where('tenantId', '=', scope.tenantId)
    .where('tenantUnitId', '=', scope.tenantUnitId)
    .where('collection', '=', collection)
    .execute();
}

/** Audits a change of a question. */
export async function auditQuestion(
  tx: Queryable,
  actor: Actor,
  action: string,
  before: QuestionRow | undefined,
  after: QuestionRow | undefined,
): Promise<void> {
  const { tenantId, tenantUnitId, id } = (after ?? before) as QuestionRow;
  await auditWrites(tx, tenantId, actor, [
    {
      action,
      subject: { type: 'evaluation', id },
      tenantUnitId,
      before: before && auditedQuestion(before),
      after: after && auditedQuestion(after),
    },
  ]);
}
