import type { Database } from '../../../db/schema.js';
import type { Actor } from '../shared/actor.js';
import { assertAtMost, offsetOf, type Page, toPage } from '../shared/pagination.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import { readAskedQuestion } from './asked-question.js';
import {
  type Collection,
  type CollectionRef,
  type EvaluationRun,
  type JudgedQuestion,
  MAX_COLLECTIONS,
  MAX_RUNS,
  type Question,
  type QuestionFilter,
  type QuestionFromMessage,
  type QuestionRef,
  type UnitOfEvaluations,
} from './evaluations.schema.js';
import { lockCollections, toQuestions, toRun, withinReach } from './rows.js';
import { auditQuestion, deleteRunsOfEmpty, lockQuestion, storeQuestion } from './store-question.js';

export interface EvaluationsDependencies {
  db: Database;
  writeTransaction: WriteTransaction;
  clock: () => Date;
  maxPageSize: number;
}

export type Evaluations = ReturnType<typeof createEvaluations>;

/** Judged collections: questions of a unit with the chunks that a search should find. */
export function createEvaluations({ db, writeTransaction, clock, maxPageSize }: EvaluationsDependencies) {
  return { list, questions, saveQuestion, addFromMessage, removeQuestion, runs };

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
    return writeTransaction({ scope: input.scope, actor }, (tx) =>
      storeQuestion(tx, input, { action: 'evaluations.saveQuestion', now: clock() }, actor),
    );
  }

  /**
   * Adds what a user had asked before an answer, as a question.
   *
   * @throws DomainError `not_found` for the answer, or at an expected chunk that is not there; `invalid` where the user had
   *   asked nothing
   */
  async function addFromMessage(input: QuestionFromMessage, actor: Actor): Promise<Question> {
    const { conversationId, messageId, ...judged } = input;
    return writeTransaction({ scope: input.scope, actor }, async (tx) => {
      const source = { conversationId, messageId };
      const query = await readAskedQuestion(tx, input.scope, source);
      const how = { action: 'evaluations.addFromMessage', now: clock(), source };
      return storeQuestion(tx, { ...judged, query }, how, actor);
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
      await auditQuestion(tx, actor, 'evaluations.removeQuestion', before, undefined);
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
