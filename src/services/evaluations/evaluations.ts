import { v7 as uuid } from 'uuid';
import type { Database, Queryable } from '../../../db/schema.js';
import { conflict, notFound } from '../../errors/errors.js';
import { auditWrites } from '../audit/audit.js';
import type { Actor } from '../shared/actor.js';
import { assertAtMost, offsetOf, type Page, toPage } from '../shared/pagination.js';
import { type TenantUnitRef, tenantColumns } from '../shared/tenant-scope.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import {
  type Collection,
  type CollectionRef,
  type EvaluationRun,
  type JudgedQuestion,
  MAX_COLLECTIONS,
  MAX_QUESTIONS,
  MAX_RUNS,
  type Question,
  type QuestionFilter,
  type QuestionRef,
  type UnitOfEvaluations,
} from './evaluations.schema.js';
import { readExpected } from './expected-chunks.js';
import {
  auditedQuestion,
  hasQuestions,
  lockCollections,
  type QuestionRow,
  questionNotFound,
  toQuestions,
  toRun,
  withinReach,
} from './rows.js';

export interface EvaluationsDependencies {
  db: Database;
  writeTransaction: WriteTransaction;
  clock: () => Date;
  maxPageSize: number;
}

export type Evaluations = ReturnType<typeof createEvaluations>;

/** Judged collections: questions of a unit with the chunks that a search should find. */
export function createEvaluations({ db, writeTransaction, clock, maxPageSize }: EvaluationsDependencies) {
  return { list, questions, saveQuestion, removeQuestion, runs };

  /** By name, with the last run of each. */
  async function list({ scope }: UnitOfEvaluations): Promise<Collection[]> {
    const counted = await db
      .selectFrom('evaluationQuestions')
      .select(['collection', (eb) => eb.fn.countAll<number>().as('questions')])
      .where(withinReach(scope))
      .groupBy('collection')
      .orderBy('collection')
      .limit(MAX_COLLECTIONS)
      .execute();
    const runs = await db
      .selectFrom('evaluationRuns')
      .distinctOn('collection')
      .selectAll()
      .where(withinReach(scope))
      .orderBy('collection')
      .orderBy('createdTime', 'desc')
      .orderBy('id', 'desc')
      .execute();
    const lastRuns = new Map(runs.map((row) => [row.collection, toRun(row)]));
    return counted.map((one) => ({ ...one, lastRun: lastRuns.get(one.collection) ?? null }));
  }

  /** Oldest first. */
  async function questions(filter: QuestionFilter): Promise<Page<Question>> {
    assertAtMost(maxPageSize, filter.pageSize, 'pageSize');
    const matching = db
      .selectFrom('evaluationQuestions')
      .where(withinReach(filter.scope))
      .where('collection', '=', filter.collection);
    const [{ count }, rows] = await Promise.all([
      matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
      matching
        .selectAll()
        .orderBy('createdTime')
        .orderBy('id')
        .limit(filter.pageSize)
        .offset(offsetOf(filter))
        .execute(),
    ]);
    return toPage(filter, await toQuestions(db, filter.scope, rows), count);
  }

  /**
   * Adds a question, or replaces one.
   *
   * @throws DomainError `not_found` at an expected chunk that is not there
   */
  async function saveQuestion(input: JudgedQuestion, actor: Actor): Promise<Question> {
    const { scope, questionId, collection, query, language, datasetIds } = input;
    return writeTransaction({ scope, actor }, async (tx) => {
      await lockCollections(tx, scope);
      const before = questionId === undefined ? undefined : await lockQuestion(tx, { scope, questionId });
      const expected = [...new Map(input.expected.map((one) => [one.chunkId, one])).values()];
      await assertThere(tx, scope, { datasetIds, expected: input.expected });
      const now = clock();
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
            .values({ ...tenantColumns(scope), id: uuid(), ...row, createdTime: now })
            .returningAll()
            .executeTakeFirstOrThrow();
      await assertRoom(tx, scope, collection);
      if (before) await deleteRunsOfEmpty(tx, scope, before.collection);
      await audit(tx, actor, 'evaluations.saveQuestion', before, saved);
      const [question] = await toQuestions(tx, scope, [saved]);
      return question as Question;
    });
  }

  /** With its last question, a collection and its runs are gone. */
  async function removeQuestion({ scope, questionId }: QuestionRef, actor: Actor): Promise<void> {
    await writeTransaction({ scope, actor }, async (tx) => {
      await lockCollections(tx, scope);
      const before = await lockQuestion(tx, { scope, questionId });
      await tx
        .deleteFrom('evaluationQuestions')
        .where('tenantId', '=', scope.tenantId)
        .where('id', '=', questionId)
        .execute();
      await deleteRunsOfEmpty(tx, scope, before.collection);
      await audit(tx, actor, 'evaluations.removeQuestion', before, undefined);
    });
  }

  /** Newest first. */
  async function runs({ scope, collection }: CollectionRef): Promise<EvaluationRun[]> {
    const rows = await db
      .selectFrom('evaluationRuns')
      .selectAll()
      .where(withinReach(scope))
      .where('collection', '=', collection)
      .orderBy('createdTime', 'desc')
      .orderBy('id', 'desc')
      .limit(MAX_RUNS)
      .execute();
    return rows.map(toRun);
  }
}

const lockQuestion = (tx: Queryable, { scope, questionId }: QuestionRef): Promise<QuestionRow> =>
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

async function deleteRunsOfEmpty(tx: Queryable, scope: TenantUnitRef, collection: string): Promise<void> {
  if (await hasQuestions(tx, scope, collection)) return;
  await tx
    .deleteFrom('evaluationRuns')
    .where('tenantId', '=', scope.tenantId)
    .where('tenantUnitId', '=', scope.tenantUnitId)
    .where('collection', '=', collection)
    .execute();
}

async function audit(
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
